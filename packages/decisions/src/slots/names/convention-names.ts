import type { SlotNames } from './slot-names.ts'

/** How things are written, named and cut. */
export const CONVENTION_NAMES: SlotNames = {
  serialization: `JSON; Protobuf = protocol buffers, protobufs; MessagePack = msgpack; Avro; CBOR; BSON; FlatBuffers; Cap'n Proto; XML; Parquet; NDJSON = jsonl, json lines;
    superjson; Pickle; bincode; HDF5; Arrow IPC; TLV; YAML; TOML; CSV; INI; JSON5; EDN; HCL`,
  'config-format': `YAML = yml; TOML; JSON; INI; dotenv = .env, .env files, env files; JSON5; JSONC; HCL; environment variables = env vars, env variables; XML; KDL; Dhall; CUE`,
  naming: `camelCase = camel case, camel-case; snake_case = snake case, snake-case; kebab-case = kebab case; PascalCase = pascal case, upper camel case;
    SCREAMING_SNAKE_CASE = screaming snake case, upper snake case, constant case, upper_snake_case; dot.case; Hungarian notation; BEM; lowercase; flatcase`,
  indentation: `tabs = tab indentation, hard tabs, tabulations, tabulaciones, tabulações, tabulatoren; spaces = soft tabs; 2 spaces = two spaces, 2-space, two-space, 2 space indentation, 2-space indentation, two-space indentation, 2 space indent; 4 spaces = four spaces, 4-space, four-space, 4 space indentation, 4-space indentation, four-space indentation, 4 space indent`,
  quotes: `single quotes = single-quotes, single quote; double quotes = double-quotes, double quote`,
  semicolons: `no semicolons = without semicolons, no semi, no semis; semicolons = with semicolons`,
  'line-endings': `LF = lf line endings, unix line endings; CRLF = crlf line endings, windows line endings`,
  encoding: `UTF-8 = utf8; UTF-16 = utf16; ASCII; Latin-1 = iso-8859-1; Shift-JIS; base64; GBK`,
  branching: `trunk-based development = trunk-based, trunk based, trunk based development, trunk-based dev; GitFlow = git flow, git-flow; GitHub Flow = github-flow; feature branches = feature branch; release branches`,
  'merge-strategy': `squash merges = squash, squash merge, squash and merge, squash-merge, squash merging, squash commits; rebase = rebasing, rebase merge, rebase and merge; merge commits = merge commit, no fast-forward`,
  'commit-style': `Conventional Commits = conventional commit, conventional commit messages, conventional commits format; Gitmoji; signed commits = gpg-signed commits`,
  versioning: `SemVer = semantic versioning, semver versioning; CalVer = calendar versioning; ZeroVer`,
  'api-versioning': `URL versioning = path versioning, versioned urls; header versioning`,
  license: `MIT = mit license, mit licence; Apache-2.0 = apache 2.0, apache 2, apache license 2.0, apache license; GPL-3.0 = gpl, gplv3, gpl v3, gpl 3; GPL-2.0 = gplv2; AGPL-3.0 = agpl, agplv3; LGPL = lgplv3; MPL-2.0 = mpl, mpl 2.0;
    BSD-3-Clause = bsd, bsd 3-clause, bsd-3; BSD-2-Clause = bsd 2-clause, bsd-2; ISC; Unlicense; CC0; CC BY 4.0 = cc-by, cc by; BSL = busl; SSPL; proprietary = closed source; EPL; Zlib`,
  architecture: `monolith = monolithic, modular monolith, majestic monolith, монолит; microservices = microservice, micro-services, микросервисы; event sourcing = event-sourcing, event-sourced; CQRS; hexagonal architecture = hexagonal, ports and adapters; clean architecture;
    MVC; MVVM; serverless = serverless functions; event-driven architecture = event-driven, event driven; layered architecture = layered; DDD = domain-driven design; micro frontends = micro-frontends, microfrontends; plugin architecture; actor model; vertical slices = vertical slice architecture; ECS architecture;
    client-server; peer-to-peer; SOA; JAMstack; islands architecture`,
  'id-format': `UUID = uuids, guid; UUIDv4 = uuid v4; UUIDv7 = uuid v7; ULID = ulids; Nano ID = nanoids; auto-increment = autoincrement, auto increment, auto-incrementing ids, serial ids, integer ids, sequential ids; Snowflake IDs = snowflake id; CUID = cuid2; bigserial = bigint ids; KSUID`,
  pagination: `cursor pagination = cursor-based, cursor-based pagination, cursors, cursor based pagination; offset pagination = offset-based, offset-based pagination, limit/offset, offset/limit; keyset pagination = keyset; infinite scroll = infinite scrolling; page numbers`,
  deletion: `soft deletes = soft delete, soft-delete, soft deletion, soft-deletes; hard deletes = hard delete, hard-delete, hard deletion`,
  locking: `optimistic locking = optimistic concurrency, optimistic locks; pessimistic locking = pessimistic locks; advisory locks`,
  'date-format': `ISO 8601 = iso8601, iso-8601, iso dates, iso timestamps; Unix timestamps = unix timestamp, epoch seconds, unix time, epoch timestamps; RFC 3339 = rfc3339; epoch milliseconds`,
  timezone: `UTC = utc timestamps`,
  programming: `functional style = functional programming; OOP = object-oriented; TDD = test-driven development; BDD; pair programming; async/await = async await; callbacks; promises; generators`,
  'error-handling': `exceptions = throwing exceptions, throw exceptions; Result types = result type, result objects, neverthrow; error codes; problem+json = rfc 7807, problem details, rfc7807, rfc 9457`,
  'multi-tenancy': `schema per tenant = schema-per-tenant; database per tenant = database-per-tenant; shared schema = tenant_id column`,
  deployment: `blue-green deployment = blue-green, blue/green, blue-green deploys, blue-green deployments, blue green; canary releases = canary, canary deployments, canary deploys; rolling updates = rolling deploys, rolling update, rolling deployment; recreate strategy; GitOps`,
  tenancy: 'single-tenant = single tenant; multi-tenant = multi tenant',
  units: `metric = metric units; imperial = imperial units`,
  currency: `EUR = euro, euros; USD = us dollars; GBP = pounds sterling; integer cents = cents, minor units; JPY`,
  theme: `dark mode; light mode`,
}
