import type { Category } from '../log/decision-event.ts'

/** One thing that a project decides about. */
export interface Slot {
  readonly name: string
  /** As people write it, where that is not the name without its hyphens. */
  readonly title?: string
  /** True where values stand beside each other; else a new one takes the place of the old one. */
  readonly many?: true
  /** Defaults to `decisions`. */
  readonly category?: Category
  /** The words for it, separated by `;`. */
  readonly words?: string
  /**
   * Its values, separated by `;`. Other spellings follow on `=`, separated by `,`. `~` marks an everyday word, which needs
   * more than its letters to count. A value may stand under several slots; the first is where it goes when nothing around it says
   * more.
   */
  readonly values?: string
}

// biome-ignore format: a table, a row for each slot
export const SLOTS: readonly Slot[] = [
  { name: 'cache', words: `cache; caches; caching; caching layer; cache layer; cache backend`, values: `Redis; Valkey; Memcached = memcache; KeyDB; ~Dragonfly = dragonflydb; Hazelcast;
    Varnish; Ehcache; ~Caffeine; Apache Ignite = ~ignite; in-memory cache = in-process cache, in-memory caching; LRU cache = lru; node-cache; Upstash` },
  { name: 'datastore', words: `database; databases; db; dbs; datastore; data store; primary store; primary datastore; primary database; main database; main db; persistence;
    persistence layer; persistent storage; storage backend; storage engine; storage layer; data layer; backing store; relational database; sql database; storage; document store;
    production database; backend database; store; persisting data; data storage; system of record; rdbms;
    dbms`, values: `PostgreSQL = postgres, postgress, postgre, postgre sql, postgres sql, pg, psql; MySQL; MariaDB; SQLite = sqlite3; MongoDB = mongo, mongo db;
    DynamoDB = dynamo, amazon dynamodb; Cassandra = apache cassandra; ScyllaDB = scylla; CockroachDB = cockroach; CouchDB; Couchbase; Firestore = cloud firestore;
    Firebase Realtime Database; Supabase; PlanetScale; ~Neon = neondb; Turso; libSQL; ~Oracle = oracle db, oracle database; SQL Server = mssql, ms sql, microsoft sql server; DB2 = ibm db2;
    InfluxDB = influx; TimescaleDB = timescale; QuestDB; ClickHouse; DuckDB; Snowflake; BigQuery = big query; Redshift = amazon redshift; Databricks; ~Druid; Neo4j; ArangoDB; Dgraph;
    JanusGraph; RethinkDB; FaunaDB = fauna; SurrealDB; TiDB; YugabyteDB = yugabyte; Vitess; ~Aurora = amazon aurora; RDS = amazon rds; ~Spanner = cloud spanner; Cosmos DB = cosmosdb;
    LevelDB; RocksDB; LMDB; ~Realm; PouchDB; IndexedDB; NeDB; LowDB; TinyDB; Core Data; H2; HSQLDB; ~Derby; Firebird; EdgeDB = ~gel; Prestodb = ~presto; Trino; D1 = cloudflare d1;
    FoundationDB; etcd; Redis; Valkey; Firebase; localStorage = local storage; ~Access = ms access; Isar; Hive DB; MMKV; AsyncStorage; SharedPreferences; DataStore Preferences; SwiftData;
    WatermelonDB; ObjectBox; GreenDAO; SQLDelight; NetCDF; ~Zarr; HDF5 store; TileDB; littlefs; NVS; SPIFFS; EEPROM; FRAM; SD card; PowerSync; ElectricSQL; Convex; Appwrite; PocketBase;
    Xata; KurrentDB; MonetDB; Greenplum; Vertica; StarRocks; Doris; Pinot; flat files = flat file, json files; EventStoreDB = eventstore` },
  { name: 'search', words: `search; full-text search; fulltext search; full text search; search engine; search index; search backend`, values: `Elasticsearch = elastic search, elastic;
    OpenSearch; Meilisearch = meili; Typesense; Algolia; Solr = apache solr; Lucene; ~Sonic; Tantivy; Sphinx Search; Manticore; ~Zinc; Whoosh; FTS5 = sqlite fts; pg_trgm; ~Vespa` },
  { name: 'vector-store', words: `vector store; vector database; vector db; vector search; embeddings; embedding store; vector index`, values: `pgvector; Pinecone; Weaviate; Qdrant; Milvus;
    ~Chroma = chromadb; FAISS; LanceDB; sqlite-vec; ~Annoy; hnswlib` },
  { name: 'queue', words: `queue; queues; queueing; queuing; job queue; task queue; message queue; message broker; broker; background jobs; background job; jobs; async jobs;
    background tasks; messaging; event bus; events; message bus; pub/sub; event streaming; job processing; background processing; async tasks; scheduling; scheduler; job scheduler;
    workflow engine; workflows`, values: `RabbitMQ = rabbit; Kafka = apache kafka; SQS = amazon sqs, aws sqs; SNS; NATS = nats.io, jetstream; ~Pulsar = apache pulsar; ActiveMQ;
    ZeroMQ = zmq; Celery; Sidekiq; Resque; BullMQ = ~bull; Bee-Queue; Agenda.js; RQ; Dramatiq; Huey; Kinesis; Pub/Sub = pubsub, google pub/sub; Event Hubs; Service Bus = azure service bus;
    EventBridge; ~Temporal = temporal.io; Airflow = apache airflow; Dagster; ~Prefect; Oban; Hangfire; Redpanda; MQTT; Mosquitto; Inngest; Graphile Worker; pg-boss; ~Quartz; Redis;
    Redis Streams; Faktory; Gearman; Beanstalkd` },
  { name: 'orm', title: 'ORM', words: `orm; database access; data access; database driver; db driver; driver; query builder; query layer; database client; database library; data mapper;
    db access`, values: `Prisma; TypeORM; Sequelize; ~Drizzle = drizzle orm; MikroORM; Knex = knex.js; Kysely; Objection.js = ~objection; Mongoose; SQLAlchemy; SQLModel; Peewee;
    Tortoise ORM; Django ORM; Pony ORM; Hibernate; JPA = spring data jpa; jOOQ; MyBatis; ~Exposed; Entity Framework = ef core, entity framework core; Dapper; NHibernate; GORM; sqlc; sqlx;
    Ent; ~Diesel; SeaORM; Ecto; ActiveRecord = active record; ~Sequel; ~Doctrine; Eloquent; Slonik; postgres.js; node-postgres; psycopg = psycopg2, psycopg3; asyncpg; better-sqlite3;
    node:sqlite; mysql2; pgx; raw SQL = plain sql, handwritten sql; Bookshelf; ~Room; GRDB; ~Realm` },
  { name: 'migrations', words: `migrations; database migrations; schema migrations; migration tool; db migrations`, values: `Flyway; Liquibase; Alembic; golang-migrate; dbmate;
    node-pg-migrate; Prisma Migrate; ~goose; Umzug; Sqitch; ~Atlas; db-migrate; Drizzle Kit` },
  { name: 'file-storage', words: `file storage; object storage; blob storage; uploads; file uploads; media storage; attachments; asset storage; images; image storage;
    backups`, values: `S3 = amazon s3, aws s3; MinIO; R2 = cloudflare r2; GCS = google cloud storage, cloud storage; Azure Blob Storage = azure blob, blob storage; Backblaze B2 = backblaze;
    Ceph; local disk = local filesystem, the filesystem; EFS; Cloudinary; UploadThing; HDFS; Wasabi` },
  { name: 'auth', words: `auth; authentication; login; logins; sign-in; signin; signing in; log in; user authentication; authn; auth method; authentication method; api auth;
    api authentication; identity; identity provider; user auth`, values: `JWT = json web token, json web tokens, jwts, jot tokens;
    ~sessions = session cookies, session cookie, cookie sessions, server-side sessions, server side sessions, cookie-based sessions, session-based auth, session auth, session-based authentication;
    OAuth 2.0 = oauth, oauth2, oauth 2; OpenID Connect = oidc, openid; SAML = saml 2.0; API keys = api key, api-key; basic auth = http basic, basic authentication, http basic auth;
    magic links = magic link; passkeys = passkey, webauthn, fido2; mTLS = mutual tls; LDAP; Kerberos; Active Directory; Auth0; ~Clerk; Okta; Keycloak; Cognito = amazon cognito, aws cognito;
    Firebase Auth; Supabase Auth; NextAuth = next-auth, nextauth.js, auth.js; ~Passport = passport.js; ~Lucia; Better Auth = better-auth; Devise; Ory; Zitadel; Authelia; WorkOS; Stytch;
    SuperTokens; PASETO; TOTP; SSO = single sign-on; bearer tokens = bearer token; Entra ID = azure ad; Spring Security; ~Guardian; django-allauth; HMAC; GitHub login;
    Google login = google sign-in` },
  { name: 'authorization', words: `authorization; permissions; access control; authz; roles`, values: `RBAC = role-based access control; ABAC; ACLs = acl; Casbin; OPA = open policy agent;
    Cerbos; OpenFGA; Pundit; CanCanCan; CASL; row-level security = rls, row level security` },
  { name: 'password-hashing', words: `password hashing; password hashes; passwords; hashing; hashing passwords; hash passwords`, values: `bcrypt; Argon2 = argon2id; scrypt; PBKDF2` },
  { name: 'encryption', words: `encryption; secrets; secret management; secret storage; encryption at rest; secrets management`, values: `AES-256 = aes, aes-256-gcm, aes-gcm; RSA; Ed25519;
    libsodium = nacl; ChaCha20; TLS 1.3; ~Vault = hashicorp vault; SOPS; KMS = aws kms; AWS Secrets Manager = secrets manager; Doppler; dotenv; ~age` },
  { name: 'ci', title: 'CI', words: `ci; ci/cd; cicd; continuous integration; build pipeline; pipeline; pipelines; ci pipeline; cd; ci system; continuous delivery;
    CI/CD`, values: `GitHub Actions = gh actions; GitLab CI = gitlab ci/cd; Jenkins; CircleCI = circle ci; Travis CI = travis; Buildkite; Azure Pipelines = azure devops;
    Bitbucket Pipelines; TeamCity; ~Drone = drone ci; Argo CD = argocd; ~Flux = fluxcd; Tekton; ~Bamboo; AppVeyor; Woodpecker; Dagger.io; Codefresh; Spinnaker; Semaphore CI; Cloud Build;
    CodePipeline; Xcode Cloud; Fastlane; Codemagic; Bitrise; EAS Build = eas; App Center; GoCD; ~Concourse; Renovate; Dependabot; semantic-release; release-please` },
  { name: 'hosting', words: `hosting; host; cloud; cloud provider; deployment target; deployments; infrastructure; deploying; production hosting; hosting provider; deploy;
    production`, values: `AWS = amazon web services; GCP = google cloud, google cloud platform; Azure = microsoft azure; Vercel; Netlify; Heroku; Fly.io = fly; ~Render = render.com;
    ~Railway; DigitalOcean = digital ocean; Cloudflare = cloudflare pages; Hetzner; Linode; Vultr; OVH = ovhcloud; ~Lambda = aws lambda; EC2; ECS; EKS; Fargate;
    App Engine = google app engine; Cloud Run = google cloud run; Cloud Functions; Azure Functions; GKE; AKS; Lightsail; Elastic Beanstalk = beanstalk; GitHub Pages; Deno Deploy;
    Firebase Hosting; Scaleway; Coolify; Dokku; CapRover; Kamal; on-premises = on-prem, on premise, on premises; bare metal; self-hosted = self hosted, self-hosting; VPS = a vps;
    App Runner; OpenStack; Raspberry Pi; Alibaba Cloud = aliyun; Yandex Cloud; ~Modal; RunPod` },
  { name: 'containers', words: `containers; containerization; container runtime; containerisation; local development environment; local development; dev environment;
    container`, values: `Docker; Podman; Buildah; containerd; Docker Compose = docker-compose; LXC; Singularity = apptainer; Kaniko; Buildpacks; distroless; ~Vagrant; Firecracker;
    devcontainers = dev containers` },
  { name: 'orchestration', words: `orchestration; container orchestration; cluster; orchestrator; process manager`, values: `Kubernetes = k8s; ~Nomad; Docker Swarm = ~swarm; K3s; OpenShift;
    Rancher; Mesos; ECS; Knative; ~Helm = helm charts; Kustomize; MicroK8s; Istio; Linkerd; systemd; pm2; supervisord` },
  { name: 'infrastructure-as-code', words: `infrastructure as code; iac; provisioning; infra as code; infrastructure code; configuration management`, values: `Terraform; OpenTofu; Pulumi;
    CloudFormation; AWS CDK = cdk; Ansible; ~Chef = ~chef; ~Puppet = ~puppet; SaltStack; Bicep; Crossplane; SST; Serverless Framework; NixOS` },
  { name: 'web-server', words: `web server; reverse proxy; load balancer; load balancing; proxy; ingress; tls termination; app server; application server`, values: `Nginx = nginx ingress;
    Apache = apache httpd; Caddy; Traefik; HAProxy; ~Envoy; IIS; Tomcat; Jetty; Gunicorn; Uvicorn; Hypercorn; uWSGI; ~Puma; ~Unicorn; ~Passenger; Lighttpd; Kong; Waitress; Cowboy; Undertow;
    Netty; API Gateway = aws api gateway; ALB; ~Kestrel; OpenResty; FrankenPHP` },
  { name: 'cdn', title: 'CDN', words: `cdn; content delivery; static assets; asset delivery; edge caching`, values: `CloudFront; Fastly; Cloudflare CDN; Akamai; ~Bunny = bunny.net;
    jsDelivr; KeyCDN` },
  { name: 'logging', words: `logging; logs; logger; log library; logging library; log aggregation; log format; log management`, values: `pino; Winston; Bunyan; log4j = log4j2; Logback;
    SLF4J; Serilog; NLog; loguru; structlog; ~zap; logrus; slog; zerolog; Monolog; Loki = grafana loki; Logstash; Fluentd; Fluent Bit; ELK = elk stack; Splunk; Papertrail; Loggly;
    Better Stack; Graylog; tslog; env_logger; consola; Lograge; JSON logs = structured logs, structured logging, json logging, structured json logs; syslog; journald; ~Axiom; Vector.dev` },
  { name: 'monitoring', words: `monitoring; metrics; error tracking; error reporting; observability; tracing; alerting; apm; crash reporting; distributed tracing; dashboards;
    uptime monitoring`, values: `Prometheus; Grafana; Datadog = data dog; New Relic; ~Sentry; ~Honeycomb; Jaeger; Zipkin; OpenTelemetry = otel; Dynatrace; AppDynamics; Nagios; Zabbix;
    CloudWatch; Bugsnag; Rollbar; Elastic APM; VictoriaMetrics; StatsD; ~Graphite; Uptime Kuma; PagerDuty; Opsgenie; ~Tempo; Pyroscope; Checkly; Raygun; LogRocket; Netdata; SigNoz;
    Lightstep` },
  { name: 'analytics', words: `product analytics; web analytics; usage analytics; bi; event tracking; user analytics`, values: `PostHog; Mixpanel; ~Amplitude; Google Analytics; Plausible;
    Matomo; ~Segment; Umami; Metabase; ~Superset = apache superset; ~Looker; Tableau; Power BI; Snowplow; ~Fathom; ~Heap; Redash` },
  { name: 'feature-flags', words: `feature flags; feature flagging; feature toggles; flags; feature-flags`, values: `LaunchDarkly; ~Unleash; Flagsmith; ConfigCat; GrowthBook; Split.io;
    OpenFeature; Statsig; Flipper; Flipt` },
  { name: 'payments', words: `payments; payment; billing provider; payment provider; payment processing; checkout; payment processor; payment gateway`, values: `Stripe; PayPal; Adyen;
    Braintree; ~Square; Paddle; Lemon Squeezy; Mollie; Klarna; Razorpay; Chargebee; Recurly; Apple Pay; Google Pay; Worldpay; Checkout.com; Alipay` },
  { name: 'email', words: `email; emails; e-mail; transactional email; transactional emails; mail; mails; sending email; email delivery; email provider; mailer; e-mails`, values: `SendGrid;
    Mailgun; Postmark; SES = amazon ses, aws ses; ~Resend; Mailchimp; Brevo = sendinblue; Mailtrap; SMTP; SparkPost; Mandrill; MJML; React Email; Loops.so` },
  { name: 'sms', title: 'SMS', words: `sms; text messages; sms notifications`, values: `Twilio; Vonage; MessageBird; Plivo; Sinch` },
  { name: 'maps', words: `maps; map; map rendering; map tiles`, values: `Mapbox; Google Maps; Leaflet; OpenStreetMap = osm; MapLibre; OpenLayers; PostGIS; Cesium; deck.gl; HERE Maps` },
  { name: 'version-control', words: `version control; vcs; source control`, values: `~Git; Mercurial; SVN = subversion; Perforce; Jujutsu = jj; Git LFS` },
  { name: 'code-hosting', words: `code hosting; repo hosting; repository hosting; git hosting`, values: `GitHub; GitLab; Bitbucket; Gitea; Codeberg; Forgejo; Azure Repos; SourceHut;
    Gerrit` },
  { name: 'issue-tracker', words: `issue tracker; issue tracking; tickets; tasks; project management; bug tracking; ticketing`, values: `Jira; ~Linear; Trello; Asana; GitHub Issues;
    YouTrack; ClickUp; ~Notion; ~Shortcut; Redmine; Monday.com; Basecamp; Bugzilla; Plane.so` },
  { name: 'chat', words: `chat; team chat; alerts; chat tool; communication`, values: `~Slack; Discord; Microsoft Teams = ms teams; Telegram; Mattermost; Zulip; ~Matrix; WhatsApp;
    Rocket.Chat; IRC` },
  { name: 'documentation', words: `documentation; docs; api docs; api documentation; diagrams; docs site; api spec; api specification`, values: `OpenAPI = swagger, openapi 3, openapi 3.1;
    AsyncAPI; TypeDoc; ~Sphinx; Javadoc; Doxygen; Mintlify; Redoc; Confluence; ADRs = adr, architecture decision records; rustdoc; ExDoc; MADR; GitBook; Starlight; Nextra; Fumadocs; pdoc;
    Dokka; DocFX; roxygen2 = roxygen; mdBook; Mermaid; PlantUML; AsciiDoc; Read the Docs` },
  { name: 'hardware', words: `board; boards; microcontroller; mcu; hardware; target board; chip`, values: `STM32; ESP32; ESP8266; nRF52 = nrf52840; RP2040 = raspberry pi pico; Arduino;
    Teensy; Jetson = jetson nano; BeagleBone; ATmega328; FPGA; RISC-V; Cortex-M4; AVR; PIC` },
  { name: 'rtos', title: 'RTOS', words: `rtos; firmware framework; real-time os; real time operating system`, values: `FreeRTOS; ~Zephyr; ThreadX = azure rtos; NuttX; Mbed OS = mbed;
    ESP-IDF; RIOT OS; Embassy; RTIC; bare-metal; ChibiOS; QNX; VxWorks; RT-Thread; Arduino framework; PlatformIO; Yocto; Buildroot; OpenWrt` },
  { name: 'connectivity', words: `connectivity; bus; field bus; fieldbus; radio; wireless; sensor bus; transport`, values: `BLE = bluetooth low energy, bluetooth le; LoRaWAN = lora; Zigbee;
    Z-Wave; Thread protocol; Matter; CAN bus = canbus, can-bus; Modbus = modbus rtu, modbus tcp; I2C = i²c; ~SPI; UART; RS-485 = rs485; Wi-Fi = wifi; NB-IoT; LTE-M; CoAP; OPC UA; USB;
    Bluetooth; Ethernet; NFC; 1-Wire; ESP-NOW; DMX` },
  { name: 'registry', words: `registry; package registry; container registry; publishing; image registry`, values: `npmjs = npm registry; PyPI; crates.io; Maven Central; RubyGems;
    Docker Hub; GHCR = github container registry; ECR = amazon ecr; Artifactory; Nexus; JSR; Verdaccio; GitHub Packages; Harbor` },
  { name: 'notebook', words: `notebooks; notebook`, values: `Jupyter = jupyter notebooks, jupyter notebook, jupyterlab; ~Quarto; ~marimo; R Markdown = rmarkdown; Colab = google colab;
    ~Observable; Zeppelin; Deepnote; Papermill` },
  { name: 'typesetting', words: `paper; papers; manuscript; reports; typesetting; thesis; write-up`, values: `LaTeX = latex; Typst; Pandoc; Word documents; reStructuredText = rst` },
  { name: 'job-runner', words: `cluster jobs; batch jobs; job runner; cron; scheduled jobs`, values: `SLURM; HTCondor; PBS; Argo Workflows; AWS Batch; cron = cron jobs, cronjob` },
  { name: 'optimizer', words: `optimizer; optimiser`, values: `~Adam; AdamW; SGD; RMSprop; Lion optimizer; Adagrad; LBFGS` },
  { name: 'operating-system', words: `operating system; os; base image; server os`, values: `Ubuntu; Debian; Alpine Linux; Fedora; CentOS; RHEL; Arch Linux; Windows Server; macOS; FreeBSD;
    Amazon Linux; Rocky Linux; AlmaLinux; openSUSE; ~Windows; ~Linux` },
  { name: 'serialization', words: `serialization; serialisation; wire format; message format; data format; data exchange; payloads; exchange format; message encoding; payload format;
    export format; export; exports; messages; encoding format; responses; file format; output format`, values: `JSON; Protobuf = protocol buffers, protobufs; MessagePack = msgpack; Avro;
    CBOR; BSON; FlatBuffers; Cap'n Proto; XML; Parquet; NDJSON = jsonl, json lines; superjson; ~Pickle; bincode; HDF5; Arrow IPC; TLV; YAML; TOML; CSV; INI; JSON5; EDN; HCL` },
  { name: 'config-format', words: `config; configuration; config files; configuration files; config file; config format; settings; settings file; configuration file;
    configuration format`, values: `YAML = yml; TOML; JSON; INI; dotenv = .env, .env files, env files; JSON5; JSONC; HCL; environment variables = env vars, env variables; XML; KDL; Dhall;
    ~CUE` },
  { name: 'naming', category: 'structure', words: `naming; naming convention; naming conventions; variable names; function names; file names; identifiers; column names; filenames; names;
    naming style`, values: `camelCase = camel case, camel-case; snake_case = snake case, snake-case; kebab-case = kebab case; PascalCase = pascal case, upper camel case;
    SCREAMING_SNAKE_CASE = screaming snake case, upper snake case, constant case, upper_snake_case; dot.case; Hungarian notation; BEM; ~lowercase; flatcase` },
  { name: 'indentation', words: `indentation; indent; indents; indenting; indent style`, values: `~tabs = tab indentation, hard tabs, tabulations, tabulaciones, tabulações, tabulatoren;
    ~spaces = soft tabs; 2 spaces = two spaces, 2-space, two-space, 2 space indentation, 2-space indentation, two-space indentation, 2 space indent;
    4 spaces = four spaces, 4-space, four-space, 4 space indentation, 4-space indentation, four-space indentation, 4 space indent` },
  { name: 'quotes', words: `quotes; string quotes; quote style; strings`, values: `single quotes = single-quotes, single quote; double quotes = double-quotes, double quote` },
  { name: 'semicolons', words: `semicolon style; semi`, values: `no semicolons = without semicolons, no semi, no semis; ~semicolons = with semicolons` },
  { name: 'line-endings', words: `line endings; line ending; newlines; eol`, values: `LF = lf line endings, unix line endings; CRLF = crlf line endings, windows line endings` },
  { name: 'encoding', words: `encoding; character encoding; text encoding; file encoding; charset`, values: `UTF-8 = utf8; UTF-16 = utf16; ASCII; Latin-1 = iso-8859-1; Shift-JIS; base64;
    GBK` },
  { name: 'branching', words: `branching; branching model; branching strategy; git workflow; branch strategy; workflow;
    git-workflow`, values: `trunk-based development = trunk-based, trunk based, trunk based development, trunk-based dev; GitFlow = git flow, git-flow; GitHub Flow = github-flow;
    feature branches = feature branch; release branches` },
  { name: 'merge-strategy', words: `merging; merge strategy; merges; pull requests; prs; merging prs; merge; merge method;
    merging pull requests`, values: `squash merges = ~squash, squash merge, squash and merge, squash-merge, squash merging, squash commits;
    ~rebase = ~rebasing, rebase merge, rebase and merge; merge commits = merge commit, no fast-forward` },
  { name: 'commit-style', words: `commits; commit messages; commit style; commit message format; commit format;
    commit convention`, values: `Conventional Commits = conventional commit, conventional commit messages, conventional commits format; Gitmoji; signed commits = gpg-signed commits` },
  { name: 'versioning', words: `versioning; releases; version numbers; versioning scheme; release versioning`, values: `SemVer = semantic versioning, semver versioning;
    CalVer = calendar versioning; ZeroVer` },
  { name: 'api-versioning', title: 'API versioning', words: `api versioning`, values: `URL versioning = path versioning, versioned urls; header versioning` },
  { name: 'license', words: `license; licence; licensing; project license; open source license`, values: `~MIT = mit license, mit licence;
    Apache-2.0 = apache 2.0, apache 2, apache license 2.0, apache license; GPL-3.0 = gpl, gplv3, gpl v3, gpl 3; GPL-2.0 = gplv2; AGPL-3.0 = agpl, agplv3; LGPL = lgplv3;
    MPL-2.0 = mpl, mpl 2.0; BSD-3-Clause = bsd, bsd 3-clause, bsd-3; BSD-2-Clause = bsd 2-clause, bsd-2; ~ISC; Unlicense; CC0; CC BY 4.0 = cc-by, cc by; BSL = busl; SSPL;
    proprietary = closed source; EPL; Zlib` },
  { name: 'architecture', category: 'structure', words: `architecture; overall architecture; system architecture; system design; service architecture; architectural style;
    app structure`, values: `~monolith = ~monolithic, modular monolith, majestic monolith; microservices = microservice, micro-services; event sourcing = event-sourcing, event-sourced;
    CQRS; hexagonal architecture = hexagonal, ports and adapters; clean architecture; MVC; MVVM; ~serverless = serverless functions; event-driven architecture = event-driven, event driven;
    layered architecture = ~layered; DDD = domain-driven design; micro frontends = micro-frontends, microfrontends; plugin architecture; actor model;
    vertical slices = vertical slice architecture; ECS architecture; client-server; peer-to-peer; SOA; JAMstack; islands architecture` },
  { name: 'id-format', title: 'ID format', words: `ids; primary keys; identifiers; primary key; id format; id type; user ids; id generation; id scheme; record ids; entity ids;
    ID`, values: `UUID = uuids, guid; UUIDv4 = uuid v4; UUIDv7 = uuid v7; ULID = ulids; Nano ID = nanoids;
    auto-increment = autoincrement, auto increment, auto-incrementing ids, serial ids, integer ids, sequential ids; Snowflake IDs = snowflake id; CUID = cuid2; bigserial = bigint ids;
    KSUID` },
  { name: 'pagination', category: 'behavior', words: `pagination; paging; page navigation;
    list endpoints`, values: `cursor pagination = cursor-based, cursor-based pagination, ~cursors, cursor based pagination;
    offset pagination = offset-based, offset-based pagination, limit/offset, offset/limit; keyset pagination = ~keyset; infinite scroll = infinite scrolling; page numbers` },
  { name: 'deletion', category: 'behavior', words: `deletion; deletes; deleting; deletions; deleted records;
    removing records`, values: `soft deletes = soft delete, soft-delete, soft deletion, soft-deletes; hard deletes = hard delete, hard-delete, hard deletion` },
  { name: 'locking', category: 'behavior', words: `locking; concurrency control; locks`, values: `optimistic locking = optimistic concurrency, optimistic locks;
    pessimistic locking = pessimistic locks; advisory locks` },
  { name: 'date-format', words: `dates; timestamps; date format; timestamp format; datetimes; date handling`, values: `ISO 8601 = iso8601, iso-8601, iso dates, iso timestamps;
    Unix timestamps = unix timestamp, epoch seconds, unix time, epoch timestamps; RFC 3339 = rfc3339; epoch milliseconds` },
  { name: 'timezone', words: `timezone; time zone; timezones; times`, values: `UTC = utc timestamps` },
  { name: 'programming', words: `programming style; coding style; development process; concurrency; async code`, values: `functional style = functional programming; OOP = object-oriented;
    TDD = test-driven development; BDD; pair programming; async/await = async await; ~callbacks; ~promises; ~generators` },
  { name: 'error-handling', category: 'behavior', words: `error handling; errors; error responses; handling errors; failures;
    error format`, values: `~exceptions = throwing exceptions, throw exceptions; Result types = result type, result objects, neverthrow; error codes;
    problem+json = rfc 7807, problem details, rfc7807, rfc 9457` },
  { name: 'multi-tenancy', category: 'structure', words: `multi-tenancy; tenancy; tenant isolation; multitenancy; tenants`, values: `schema per tenant = schema-per-tenant;
    database per tenant = database-per-tenant; shared schema = tenant_id column` },
  { name: 'deployment', words: `deployment strategy; rollout; rollouts; rollout strategy; release strategy;
    deploy strategy`, values: `blue-green deployment = blue-green, blue/green, blue-green deploys, blue-green deployments, blue green;
    canary releases = ~canary, canary deployments, canary deploys; rolling updates = rolling deploys, rolling update, rolling deployment; recreate strategy; GitOps` },
  { name: 'tenancy', values: `single-tenant = single tenant; multi-tenant = multi tenant` },
  { name: 'units', words: `units; measurement units`, values: `~metric = metric units; ~imperial = imperial units` },
  { name: 'currency', words: `currency; prices; money; amounts; monetary values`, values: `EUR = euro, euros; USD = us dollars; GBP = pounds sterling; integer cents = ~cents, minor units;
    JPY` },
  { name: 'theme', words: `theme; color scheme; default theme; colour scheme; colors`, values: `dark mode; light mode` },
  { name: 'language', words: `language; programming language; implementation language; main language; backend language`, values: `TypeScript = ts; JavaScript = js, ecmascript;
    Python = python3; ~Rust; ~Go = golang; Java; Kotlin; Scala; ~Swift; Objective-C; Ruby; PHP; C#; C++ = cpp; F#; Elixir; Erlang; Haskell; OCaml; Clojure; ClojureScript; ~Dart; Lua; Perl;
    Julia; Zig; Nim; ~Crystal; Gleam; ReasonML; ReScript; PureScript; Solidity; Groovy; COBOL; Fortran; ~Ada; Bash; PowerShell; VB.NET = visual basic; AssemblyScript; CoffeeScript; MATLAB;
    ~Racket; ~Scheme; Common Lisp; Prolog; ~Odin; ~Mojo; plain C = ansi c, c99, c11; GDScript; GLSL; HLSL; WGSL; Verilog; SystemVerilog; VHDL; MicroPython; CircuitPython; Visual Basic;
    Apex; Delphi; Pascal; Smalltalk; Vala; Hack; Raku; Tcl; Ballerina; Roc; Elvish; Nushell; awk; plain SQL; SAS; Stata; LabVIEW; AppleScript; Luau; C; R` },
  { name: 'runtime', words: `runtime; js runtime; javascript runtime; node version; runtime version`, values: `Node.js = node, nodejs; Deno; Bun; JVM; GraalVM; .NET = dotnet, .net core;
    CPython; PyPy; Cloudflare Workers = ~workers; WebAssembly = wasm; Wasmtime; ~BEAM; ~Hermes` },
  { name: 'module-system', category: 'structure', words: `module system; module format; modules; imports`, values: `ESM = esm only, esm-only, es modules, esmodules, ecmascript modules;
    CommonJS = cjs, common js; UMD` },
  { name: 'package-manager', words: `package manager; package management; dependency manager; dependency management; dependencies; packages; managing dependencies; installs`, values: `npm;
    pnpm; Yarn = yarn berry, yarn classic; Bun = bun install; pip; ~Poetry; uv; Pipenv; Conda = miniconda, anaconda; Mamba; PDM; ~Rye; ~Hatch; ~Cargo; ~Composer; ~Bundler; NuGet; CocoaPods;
    Swift Package Manager = spm; Homebrew = ~brew; ~Hex; vcpkg; ~Conan; Nix; pipx; ~apt; Carthage; LuaRocks; opam; sbt; Leiningen; Mise; asdf; Volta; nvm` },
  { name: 'build-tool', words: `build tool; bundler; bundling; build; builds; build system; transpiler; building; compiler; bundle; builder; task runner; build-tool`, values: `Vite;
    Webpack; Rollup; esbuild; ~Parcel; Rspack; Turbopack; tsup; tsdown; Rolldown; SWC; Babel; Snowpack; Browserify; Gulp; Grunt; ~Metro; microbundle; unbuild; ncc;
    ~Make = makefile, makefiles, gnu make; CMake; Meson; ~Ninja; Bazel; Buck2 = buck; Gradle; ~Maven; ~Ant; ~Just = justfile; ~Task = taskfile; ~Rake; MSBuild; SCons; ~Invoke; ~Mage;
    Earthly; tsc; Bun bundler; setuptools; hatchling; ~Cake` },
  { name: 'monorepo', category: 'structure', words: `monorepo tool; monorepo; repo layout; repository layout; repo structure; repository structure; workspace tool;
    monorepo tooling`, values: `Nx; Turborepo = turbo; Lerna; pnpm workspaces = pnpm workspace; npm workspaces; yarn workspaces; ~Rush = rushjs; ~Moon = moonrepo; ~Bit; Changesets;
    cargo workspace; monorepo = mono-repo, mono repo; polyrepo = multi-repo, multirepo, separate repos` },
  { name: 'test-runner', words: `test runner; tests; testing; unit tests; unit testing; test framework; testing framework; test suite; test tool; test`, values: `Vitest; ~Jest; Mocha; ~AVA;
    ~Tape; Jasmine; node:test = node test runner, node's test runner; QUnit; Karma; pytest = py.test; unittest; nose2; RSpec; Minitest; JUnit = junit 5, junit5; TestNG; ~Spock; Kotest;
    NUnit; xUnit = xunit.net; MSTest; PHPUnit; ~Pest; ExUnit; GoogleTest = gtest, google test; Catch2; doctest; testify; Ginkgo; Unity Test Framework; Ceedling; testthat; Busted;
    Boost.Test; Criterion; CppUTest; QtTest; flutter_test; cargo test; nextest = cargo-nextest; XCTest; ~Quick; ScalaTest; Bun test; uvu; ~tap; HSpec; ~Tox; go test; Bats; Nox` },
  { name: 'e2e-tests', title: 'end-to-end tests', words: `e2e; e2e tests; end-to-end tests; end to end tests; e2e testing; end-to-end testing; browser tests; browser testing; ui tests;
    acceptance tests; browser automation; integration tests; e2e-tests; end-to-end`, values: `Playwright; ~Cypress; Selenium; ~Puppeteer; WebdriverIO; TestCafe; Nightwatch; Detox; Appium;
    ~Maestro; Capybara; Protractor; Robot Framework; Cucumber = gherkin; Laravel Dusk` },
  { name: 'test-library', many: true, words: `mocking; mocks; property tests; property-based tests; property testing; test doubles; component tests; load tests; load testing; fixtures;
    property-based testing; performance tests; mutation testing`, values: `Testing Library = react testing library, rtl; ~Enzyme; ~Sinon; Chai; fast-check; Hypothesis;
    MSW = mock service worker; nock; Mockito; MockK; factory_boy; FactoryBot; Testcontainers; Supertest; WireMock; VCR; Faker; Pact; QuickCheck; proptest; k6; ~Locust; JMeter; Gatling;
    ~Artillery; moto; LocalStack; Stryker` },
  { name: 'linter', words: `linter; linting; lint; static analysis; code quality; lint rules`, values: `ESLint; Biome = biomejs; TSLint; Oxlint = oxc; StandardJS; XO; ~Ruff; Flake8; Pylint;
    pycodestyle; golangci-lint; Clippy; RuboCop; StandardRB; ktlint; Detekt; SwiftLint; PHP_CodeSniffer = phpcs; PHPStan; ~Psalm; Checkstyle; PMD; SpotBugs; Credo; stylelint; ShellCheck;
    hadolint; clang-tidy; SonarQube = sonar; Semgrep; CodeQL; tflint; ~Bandit; yamllint; markdownlint; jscpd; knip` },
  { name: 'formatter', words: `formatter; formatting; code formatter; code formatting; auto-formatting; code style`, values: `Prettier; dprint; ~Black; isort; autopep8; yapf; gofmt;
    goimports; gofumpt; rustfmt; clang-format; google-java-format; Spotless; Biome; ~Ruff; shfmt; swift-format; php-cs-fixer = php cs fixer; Laravel Pint = pint; StandardRB; mix format;
    Palantir format; scalafmt; ormolu; taplo` },
  { name: 'type-checker', words: `type checker; type checking; typechecking; static typing; type-checking; typing; types`, values: `mypy; Pyright; Pyre; ~Flow; Sorbet; Dialyzer;
    basedpyright; Pyrefly; JSDoc types = jsdoc; strict mode = strict typescript` },
  { name: 'git-hooks', many: true, words: `git hooks; pre-commit hooks; commit hooks; hooks; git-hooks`, values: `Husky; lefthook; pre-commit; lint-staged; commitlint; simple-git-hooks;
    overcommit` },
  { name: 'cli-library', title: 'CLI library', words: `cli library; cli framework; argument parsing; command-line parsing; arg parsing; cli; cli parser; argument parser;
    command line parsing`, values: `commander = commander.js; yargs; oclif; clipanion; citty; cac; argparse; ~Click; ~Typer; ~Cobra; ~clap; ~Thor; picocli; urfave/cli; ~Ink; Bubble Tea;
    ~Rich; Textual; ~meow; Inquirer = inquirer.js; Clack; Optparse; docopt; Symfony Console` },
  { name: 'data-library', many: true, words: `data processing; dataframes; data frames; data frame library; etl; data pipeline; data pipelines; data analysis; batch processing;
    stream processing`, values: `pandas; Polars; NumPy; ~Dask; ~Spark = apache spark, pyspark; Flink = apache flink; ~Ray; dbt; ~Beam = apache beam; PyArrow; Vaex; ~Modin; Hadoop; ~Hive;
    Fivetran; Airbyte; Great Expectations; tidyverse; dplyr; xarray; geopandas; SciPy; statsmodels; data.table; Snakemake; Nextflow; Luigi; Kedro; Apache NiFi = nifi; Sqoop; Ibis; cuDF;
    Pandera; DataFusion; Delta Lake; Iceberg = apache iceberg; Hudi; Glue = aws glue; Debezium; Kafka Connect` },
  { name: 'ml-framework', title: 'ML framework', words: `ml framework; machine learning; deep learning; training; model training; ml; experiment tracking; inference;
    ml library`, values: `PyTorch = torch; TensorFlow; Keras; JAX; scikit-learn = sklearn; XGBoost; LightGBM; CatBoost; Hugging Face Transformers = ~transformers, hugging face; ONNX;
    MLflow; wandb = weights and biases; LangChain; LlamaIndex; llama.cpp; vLLM; Ollama; spaCy; NLTK; ~Lightning = pytorch lightning; fastai; DSPy; TensorRT; MLX; Optuna; DVC; ~Hydra; PyMC;
    ~Stan; Comet; Neptune; ClearML; Kubeflow; SageMaker; Sentence Transformers; timm; YOLO; Gymnasium; RLlib; Core ML; TFLite = tensorflow lite; caret; H2O; AutoGluon; Flax; Accelerate;
    DeepSpeed; Metaflow` },
  { name: 'model-provider', many: true, words: `llm; llm provider; model provider; language model; ai provider; model; ai model; llms; transcription`, values: `OpenAI; Anthropic;
    Gemini = google gemini; ~Claude; Mistral; Cohere; Bedrock = amazon bedrock; Vertex AI; Azure OpenAI; Groq; OpenRouter; Together AI; ~Llama; DeepSeek; Qwen; ~Replicate; ~Whisper;
    ElevenLabs` },
  { name: 'library', many: true, values: `lodash; Ramda; date-fns; Moment.js = ~moment; Day.js = dayjs; Luxon; Temporal API; ~Immer; Immutable.js; ~Underscore; ~Arrow; Pendulum; Lombok;
    Guava; Jackson; Gson; ~Boost; Abseil; Tokio; async-std; rayon; ~Effect = effect-ts; fp-ts; Sharp; Pillow; OpenCV; FFmpeg; nodemailer; uuid; nanoid; Cheerio;
    Beautiful Soup = beautifulsoup, bs4; Scrapy; ~Dagger; Hilt; ~Koin; ~Guice; inversify; tsyringe; Awilix; anyhow; thiserror` },
  { name: 'web-framework', words: `web framework; backend framework; server framework; http framework; http server; web server framework; api framework; api server; framework; backend;
    server; server side; back end; back-end; api layer; rest server; http layer`, values: `~Express = express.js, expressjs; Fastify; Koa = koa.js; ~Hapi = hapi.js; NestJS = nest.js; Hono;
    Elysia; AdonisJS = adonis; Feathers = feathersjs; ~Sails = sails.js; Django; ~Flask; FastAPI = fast api; Starlette; ~Tornado; ~Pyramid; ~Bottle; Sanic; Litestar; aiohttp; ~Falcon;
    Rails = ruby on rails, ror; ~Sinatra; Hanami; ~Grape; Roda; Spring Boot = ~spring, springboot; Quarkus; Micronaut; Dropwizard; Vert.x = vertx; Javalin; Ktor; Play Framework = ~play;
    Akka HTTP; http4s; ASP.NET Core = asp.net, aspnet, asp.net core; Laravel; Symfony; CodeIgniter; CakePHP; Yii; ~Slim; Lumen; Gin = gin-gonic; ~Echo; ~Fiber; ~Chi; Gorilla Mux = gorilla;
    net/http = stdlib http; Actix = actix-web, actix web; Axum; Rocket.rs = ~rocket; ~Warp; ~Poem; ~Phoenix; ~Plug; Vapor; Dart Frog; ~Shelf; ~Crow; Drogon; Strapi; Directus; WordPress;
    Drupal; Payload CMS; Keystone; Masonite; h3; Nitro; ~Oak; ~Bandit` },
  { name: 'frontend', words: `frontend; front-end; front end; ui; ui framework; frontend framework; front-end framework; client; client side; ui library; user interface; web ui; web app;
    webapp; web client; dashboard ui; static site generator`, values: `React = react.js, reactjs; Vue = vue.js, vuejs, vue 3; Svelte; ~Angular; SolidJS = solid.js, solid; Preact; ~Lit;
    ~Ember = ember.js; Alpine.js = alpinejs, ~alpine; htmx; Qwik; Next.js = nextjs, ~next; Nuxt = nuxt.js; SvelteKit; ~Remix; Gatsby; Astro; SolidStart; Backbone.js; jQuery; ~Stencil;
    Mithril; Inferno; ~Stimulus; Hotwire = turbo hotwire; LiveView = phoenix liveview; Blazor; ~Elm; Yew; Leptos; Dioxus; TanStack Start; React Router;
    vanilla JavaScript = vanilla js, plain javascript, plain js; Web Components; Streamlit; Gradio; Eleventy = 11ty; Hugo; Jekyll; Docusaurus; VitePress; MkDocs; VuePress; Aurelia;
    ~Marko` },
  { name: 'mobile', words: `mobile; mobile app; mobile framework; mobile client; ios app; android app; mobile apps`, values: `React Native; Flutter; ~Expo; SwiftUI; UIKit; Jetpack Compose;
    ~Ionic; ~Capacitor; Cordova; Kotlin Multiplatform = kmp; .NET MAUI = maui; Xamarin; NativeScript; PWA = progressive web app` },
  { name: 'desktop', words: `desktop; desktop app; desktop shell; desktop client; desktop framework`, values: `~Electron; Tauri; Qt = pyqt, pyside; GTK; WPF; Avalonia; NW.js; Wails;
    Tkinter; egui; Neutralino; WinUI; JavaFX; wxWidgets` },
  { name: 'game-engine', words: `game engine; engine; game`, values: `~Unity; Unreal Engine = unreal; Godot; Bevy; Phaser; Pygame; MonoGame; LÖVE = love2d; ~Cocos; PixiJS = pixi;
    Three.js = threejs; Babylon.js; GameMaker; RPG Maker; Defold; libGDX; raylib; SDL = sdl2, sdl3; SFML; Ren'Py; PICO-8; Construct; CryEngine; O3DE; Flax Engine; Macroquad; ggez; Heaps;
    Kaboom; PlayCanvas; A-Frame; Box2D; Rapier` },
  { name: 'styling', words: `styling; styles; css; css framework; stylesheets; styling solution; css solution`, values: `Tailwind = tailwind css, tailwindcss; Bootstrap; Sass = scss; ~Less;
    CSS Modules = css module; styled-components = styled components; ~Emotion; vanilla-extract; UnoCSS; Bulma; Foundation CSS; PostCSS; Stylus; Panda CSS; Windi CSS; StyleX; Linaria;
    plain CSS = vanilla css; CSS-in-JS` },
  { name: 'component-library', words: `component library; ui kit; ui components; components; design system; component kit`, values: `shadcn/ui = shadcn; Material UI = mui, material-ui;
    Chakra UI = chakra; Ant Design = antd; Mantine; ~Radix = radix ui; Headless UI; Vuetify; PrimeVue; ~Quasar; DaisyUI; NextUI; Element Plus; Naive UI; React Aria; Storybook; Semantic UI;
    ~Blueprint; Fluent UI; ~Carbon; Ark UI` },
  { name: 'state-management', words: `state management; state; client state; global state; store management; server state; app state; state library; state container;
    data fetching`, values: `Redux = redux toolkit, rtk; Zustand; MobX; Jotai; ~Recoil; XState; Pinia; Vuex; NgRx; Effector; Valtio; Nanostores; React Context = context api; BLoC; Riverpod;
    GetX; ~Provider; Legend State; Elf; Akita; TanStack Query = react query; SWR; Apollo Client; RxJS; ~Signals; urql; ~Relay` },
  { name: 'api-style', title: 'API style', words: `api; apis; api style; api layer; api protocol; public api; internal api; protocol; service communication; inter-service communication;
    service-to-service communication; service-to-service calls; service to service calls; internal communication`, values: `~REST = restful, rest api, rest apis; GraphQL; gRPC = grpc; tRPC;
    SOAP; JSON-RPC = json rpc; OData; Connect RPC; ~Thrift; Twirp` },
  { name: 'realtime', words: `realtime; real-time; real time; realtime updates; real-time updates; live updates; push updates; notifications; live data;
    streaming`, values: `WebSockets = websocket, web sockets, web socket; SSE = server-sent events, server sent events; long polling; ~polling; WebRTC; Socket.IO = socketio; SignalR;
    Pusher; Ably; Action Cable; Centrifugo; Phoenix Channels; webhooks = webhook; push notifications; FCM = firebase cloud messaging; APNs; OneSignal` },
  { name: 'rendering', words: `rendering; page rendering; rendering mode; rendering strategy`, values: `SSR = server-side rendering, server side rendering;
    SSG = static site generation, static generation; CSR = client-side rendering, client side rendering; ISR = incremental static regeneration; SPA = single page app, single-page app;
    MPA` },
  { name: 'templating', words: `templates; templating; template engine; templating engine`, values: `Jinja = jinja2; Handlebars; Mustache; EJS; ~Pug; Nunjucks; ERB; Haml; Twig; ~Blade;
    Thymeleaf; ~Liquid; HEEx; Askama; Tera` },
  { name: 'http-client', title: 'HTTP client', words: `http client; http requests; requests; http calls; api calls; api client; http library; http-client`, values: `axios; ~got; node-fetch;
    undici; ky; superagent; ~fetch = native fetch, fetch api; ~requests; httpx; OkHttp; Retrofit; reqwest; Faraday; HTTParty; Guzzle; RestSharp; Alamofire; wretch; ofetch` },
  { name: 'validation', words: `validation; schema validation; input validation; request validation; validating input; schemas; runtime validation; form validation; validator;
    validation library`, values: `Zod; Yup; Joi; Ajv; Valibot; io-ts; class-validator; Pydantic; Marshmallow; Cerberus; TypeBox; ArkType; Superstruct; Vest; FluentValidation; JSON Schema;
    attrs; Effect Schema` },
  { name: 'forms', words: `forms; form handling; form library; form state`, values: `React Hook Form; Formik; TanStack Form; VeeValidate; FormKit; Final Form` },
  { name: 'charts', words: `charts; charting; graphs; plots; plotting; visualization; data visualization; visualizations; chart library`, values: `D3 = d3.js; Chart.js = chartjs; Recharts;
    ECharts; Plotly; Highcharts; ~Victory; ~Vega = vega-lite; matplotlib; seaborn; Nivo; visx; ApexCharts; uPlot; ~Bokeh; Altair; ggplot2 = ggplot; Tremor; AG Charts; Frappe Charts; Kibana;
    gnuplot; Manim; Mermaid charts` },
  { name: 'i18n', title: 'i18n', words: `i18n; internationalization; localization; translations; l10n`, values: `i18next = react-i18next; react-intl; FormatJS; gettext; vue-i18n;
    LinguiJS = lingui; next-intl; ~Fluent; Crowdin` },
  { name: 'session-store', words: `session store; session storage; session data; session state; user sessions; session persistence; session backend; sessions` },
  { name: 'setting', category: 'behavior' },
  { name: 'rule', many: true, category: 'behavior' },
  { name: 'fact', category: 'behavior' },
  { name: 'name', category: 'structure' },
  { name: 'location', category: 'structure' },
  { name: 'schema', category: 'structure' },
  { name: 'practice', many: true },
]
