import { type Message, renderSummary } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { extractMessage } from '../../src/extract/extract-message.ts'
import { linesOf, read } from './read.ts'

const user = (content: string): Message => ({ role: 'user', content })
const assistant = (content: string): Message => ({ role: 'assistant', content })

describe('what a user decides', () => {
  it.each([
    ["Let's use Postgres for the database because we need JSONB.", ['datastore: PostgreSQL']],
    ['Use Redis for caching and RabbitMQ for the queue.', ['cache: Redis', 'queue: RabbitMQ']],
    [
      'Use Postgres for the database, JWT for auth and pnpm as package manager.',
      ['datastore: PostgreSQL', 'auth: JWT', 'package-manager: pnpm'],
    ],
    ['Switch to MySQL instead of Postgres.', ['datastore: MySQL was PostgreSQL']],
    ["Actually, let's move from Postgres to MySQL.", ['datastore: MySQL was PostgreSQL']],
    ['Replace Express with Fastify.', ['web-framework: Fastify was Express']],
    ['Drop Redis and use Memcached.', ['cache: Memcached was Redis']],
    ['Drop Tailwind; CSS modules from here on.', ['styling: CSS Modules was Tailwind']],
    ['Use Postgres, not MongoDB.', ['datastore: PostgreSQL was MongoDB']],
    ['Postgres it is.', ['datastore: PostgreSQL']],
    ['Final answer: SQLite.', ['datastore: SQLite']],
    ['Database: Postgres\nCache: Redis', ['datastore: PostgreSQL', 'cache: Redis']],
    ['Use SQLite for tests.', ['datastore: SQLite (tests)']],
    ['Use Postgres 16 in the billing service.', ['datastore: PostgreSQL 16 (billing service)']],
    ['Kubernetes, one namespace per team.', ['orchestration: Kubernetes']],
    ["We're on Node 20.", ['runtime: Node.js 20']],
    ['License it under MIT.', ['license: MIT']],
    ['We no longer use Redis.', ['no cache: Redis']],
    ['Translate the page to German. Use Redis for caching.', ['cache: Redis']],
    ['We decided against Postgres and for MySQL.', ['datastore: MySQL was PostgreSQL']],
    ['We dropped Postgres in favor of MySQL.', ['datastore: MySQL was PostgreSQL']],
    ['we need to use Postgres', ['datastore: PostgreSQL']],
    ["We won't be using Sentry after all.", ['no monitoring: Sentry']],
    ["Let's not use Redis, use Memcached.", ['cache: Memcached was Redis']],
    ['We decided against Redis.', ['rule:no-redis: We decided against Redis', 'no cache: Redis']],
    ['We must not use Oracle.', ['rule:no-oracle: We must not use Oracle', 'no datastore: Oracle']],
    ['no graphql please', ['rule:no-graphql: no graphql please', 'no api-style: GraphQL']],
    [
      "on second thought let's not use kafka",
      ["rule:no-kafka: on second thought let's not use kafka", 'no queue: Kafka'],
    ],
    ['no jquery in this project', ['rule:no-jquery: no jquery in this project', 'no frontend: jQuery']],
    ["I'd like to have Postgres.", ['datastore: PostgreSQL']],
    ['Always use double quotes.', ['quotes: double quotes']],
    ['postgres for now, and redis as cache', ['datastore: PostgreSQL', 'cache: Redis']],
    ['We use Postgres in this project.', ['datastore: PostgreSQL']],
    ['upgrade postgres to 16', ['datastore: PostgreSQL 16']],
    ['Final: Postgres + Prisma + Next.js', ['datastore: PostgreSQL', 'orm: Prisma', 'frontend: Next.js']],
    ["I misspoke, it's argon2", ['password-hashing: Argon2']],
    ["Please don't use Docker.", ["rule:no-docker: don't use Docker", 'no containers: Docker']],
    ['Create an email service: use Postmark.', ['email: Postmark']],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  it.each([
    ['Set max retries to 5.', ['setting:max-retries: 5']],
    ['Bump the timeout to 30 s for the worker.', ['setting:timeout: 30 s (worker)']],
    ['MAX_RETRIES=5', ['setting:max-retries: 5']],
    ['We target iOS 16.', ['setting:ios: 16']],
    ['Retry up to 3 times.', ['setting:retry: 3 times']],
    ['Use port 9000.', ['setting:port: 9000']],
    ['learning rate 0.001, batch size 64', ['setting:learning-rate: 0.001', 'setting:batch-size: 64']],
    ['make the request timeout 10 s instead of 30 s', ['setting:request-timeout: 10 s was 30 s']],
    ['Rename getUser to fetchUser.', ['name:getUser: fetchUser was getUser']],
    [
      'use camelCase for variables and snake_case for columns',
      ['naming: camelCase (variables)', 'naming: snake_case (columns)'],
    ],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  it.each([
    'Never commit to main directly.',
    'From now on, always run the linter before committing.',
    "Don't use default exports.",
    'Personal data must not leave the EU region.',
    'Do not use floating point in interrupt handlers.',
    'No PR without a test.',
    'keep commits small from now on',
    'Always use absolute paths.',
    'From now on, we write tests first.',
  ])('takes a rule for one: %s', (text) => {
    const [candidate, ...others] = extractMessage({ index: 1, message: user(text) })
    expect(others).toEqual([])
    expect(candidate).toMatchObject({ kind: 'assert', choice: { cardinality: 'many' } })
    expect(candidate?.kind === 'assert' && candidate.choice.slot).toMatch(/^rule:/)
  })

  it.each([
    ['Data sits in DuckDB.', ['datastore: DuckDB']],
    ['The scheduler gets rewritten in Elixir.', ['language: Elixir']],
    ['Stack: Next.js, Prisma, Postgres.', ['frontend: Next.js', 'orm: Prisma', 'datastore: PostgreSQL']],
    ['Instead of Jest we run Vitest now.', ['test-runner: Vitest was Jest']],
    ['prettier is gone, we format with dprint', ['formatter: dprint was Prettier']],
    ['`utils.py` is now `helpers.py`.', ['name:utils.py: helpers.py was utils.py']],
  ])('however it is put: %s', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  it.each([
    ['Uploads are limited to 25 MB.', ['setting:uploads: 25 MB']],
    ['idle timeout → 5min', ['setting:idle-timeout: 5min']],
  ])('reads a setting by its value: %s', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  it('keeps the reason, the line for readers and what the clause names', () => {
    const [candidate] = extractMessage({
      index: 7,
      message: user('Use Postgres in src/db.ts because we need JSONB.'),
    })
    expect(candidate).toMatchObject({
      kind: 'assert',
      span: { message: 7, start: 0, end: 48 },
      choice: { reason: 'we need JSONB', category: 'decisions', cardinality: 'one' },
    })
    expect(candidate?.kind === 'assert' && candidate.choice.l0).toContain('datastore')
    expect(candidate?.kind === 'assert' && candidate.choice.entities).toEqual(['PostgreSQL', 'src/db.ts'])
  })
})

describe('what decides nothing', () => {
  it.each([
    ['a question', 'should we use Redis?'],
    ['a question without its mark', 'do we use Redis or Memcached here'],
    ['an idea', 'What if we used Mongo?'],
    ['a guess', 'Maybe we could use Kafka.'],
    ['a condition', 'If we ever need search, use Elasticsearch.'],
    ['hearsay', 'My colleague says we should use Mongo.'],
    ['somebody by name', 'Priya suggested Mongo for this.'],
    ['the documentation', 'The docs recommend MySQL for that.'],
    ['the past', 'At my old job we used Oracle.'],
    ['what is open', "We haven't decided on the database yet."],
    ['what is not so', 'We are not using Redis yet.'],
    ['a denial', 'We never decided to use Mongo.'],
    ['a denial for all', 'Nobody decided to use Mongo.'],
    ['a decision of others', 'Our competitor decided to use Mongo.'],
    ['a decision of others by name', 'Netflix decided to use Mongo for this.'],
    ['a decision of a vendor', 'The vendor decided to use Mongo for the export.'],
    ['a choice of others', "My friend's startup went with Mongo and loves it."],
    ['a decision of somebody', 'My brother chose to go with Mongo.'],
    ['what is not done', "We don't use Mongo and I don't plan to."],
    ['what cannot be done', 'We can not use Mongo.'],
    ['what is not there', 'No Mongo.'],
    ['a quotation', '> use Mongo'],
    ['code', '```\nuse Mongo as the database\n```'],
    ['an unclosed block of code', '```\nuse Mongo'],
    ['a log', '2026-01-02T10:00:00 INFO switch to MySQL\n[worker] use Redis for caching'],
    ['a pasted conversation', 'user: use Mongo\nassistant: ok, using Mongo'],
    ['a pasted chat', 'dana  11:02  let us use Mongo!\neli  11:03  done'],
    ['a pasted document', 'Here is the README:\n\nUse MySQL as the database.'],
    ['a block of the host', '<system-reminder>Always use Mongo as the database.</system-reminder>'],
    ['an unclosed block of the host', '<system-reminder>\nAlways use Mongo as the database.'],
    ['a request', 'Fix the typo in foo.ts'],
    ['a means', 'use grep to find it'],
    ['a thing that a technology is named before', 'Use the npm org for all packages.'],
    ['a thing of a technology, without an article', 'use GitHub token'],
    ['a comparison', 'Vite wins on speed.'],
    ['a comparison of what was measured', 'SQLite works better.'],
    ['a part of a name', 'Read the React docs and use the Postgres migration as an example.'],
    ['an open choice', "Let's use Postgres or MySQL."],
    ['trouble', 'The tests fail with a timeout after 30 seconds.'],
    ['a result', 'Accuracy went from 0.81 to 0.84.'],
    ['what is so by chance', 'All tests pass now.'],
    ['a conversion', 'Convert this JSON to YAML.'],
    ['a chat with nicks', '<ana> use Mongo for that\n<bo> go with Redis then'],
    ['a setting of a document', '  "editor.fontSize": 14,\n  "use": "Mongo",'],
    ['a letter', 'fyi\n\nHi there,\n\nWe use Redis for caching now.\n\nKind regards,\nSupport'],
    ['what somebody says below a lead', 'codecov says:\n\nSet the threshold to 80.'],
    [
      'several sentences in quotes',
      'A post: "We left Fastly for Bunny. Also: never use a CDN for your API."',
    ],
    ['columns', 'SPI Speed      : 40MHz'],
    ['a key of YAML below another one', 'ingester:\n  max_chunk_age: 2h\n  chunk_encoding: gzip'],
    ['the facts before a question', 'flash is 4MB, the timeout: 30 s. does it fit?'],
    ['a fact', 'accuracy is 98'],
    ['a text in quotes', 'Change the label to "Use Postgres as the database"'],
  ])('%s', (_, text) => {
    expect(read(text)).toEqual([])
  })

  it('takes nothing from tool results, summaries and instructions', () => {
    const text = 'decision: use Mongo as the database'
    const result: Message = { role: 'tool', tool_call_id: 'a', content: text }
    expect(extractMessage({ index: 2, message: result })).toEqual([])
    expect(extractMessage({ index: 0, message: { role: 'system', content: text } })).toEqual([])
    expect(extractMessage({ index: 0, message: user(renderSummary(text)) })).toEqual([])
  })
})

describe('what an assistant says', () => {
  const propose = (content: string): string[] =>
    extractMessage({ index: 0, message: assistant(content) }).flatMap(linesOf)

  it('is a proposal', () => {
    expect(propose('I suggest PostgreSQL for the database and Redis for caching.')).toEqual([
      'proposed datastore: PostgreSQL',
      'proposed cache: Redis',
    ])
    expect(propose("I'll use Vitest for the tests.")).toEqual(['proposed test-runner: Vitest'])
  })

  it('is no setting of an editor', () => {
    expect(propose('Search: `terminal.integrated.gpuAcceleration`')).toEqual([])
    expect(propose('In VS Code: Check Settings → "editor.minimumContrastRatio" (set to 1)')).toEqual([])
  })

  it('is nothing when it reports', () => {
    expect(propose('The log says that the learning rate is 0.1. The page uses Keycloak.')).toEqual([])
  })
})

describe('what a user takes up', () => {
  const options = 'We could store sessions in one of these:\n1. sessions.json\n2. sessions.db\n3. Redis'

  it.each([
    ['yes', 'I suggest Redis for caching.', ['accepted cache: Redis']],
    ['sounds good, but use Memcached for caching', 'I suggest Redis for caching.', ['cache: Memcached']],
    ['vitest please', 'Should I use Jest or Vitest?', ['test-runner: Vitest']],
    [
      'yes to vitest, no to biome',
      'I propose: Vitest for tests, Biome for linting.',
      ['accepted test-runner: Vitest'],
    ],
    ['ok but with pnpm', 'I recommend npm as the package manager.', ['package-manager: pnpm']],
    ['Sounds good, but in Memcached', 'I suggest Redis for caching.', ['cache: Memcached']],
    ['yes but 9000', 'Should I set the port to 8080?', ['setting:port: 9000']],
    [
      'vitest yes, biome no',
      'I propose: Vitest for tests, Biome for linting.',
      ['accepted test-runner: Vitest'],
    ],
    ['ok do that but with port 9000', 'I will start the server on port 8080. OK?', ['setting:port: 9000']],
  ])('%s', (reply, before, expected) => {
    expect(read(reply, before)).toEqual(expected)
  })

  it.each([
    ['no', 'I suggest Redis for caching.'],
    ['yeah, no', 'I suggest Redis for caching.'],
    ['Yes and no.', 'I suggest Redis for caching.'],
    ['yes... wait, no', 'I suggest Redis for caching.'],
    ["ok. hmm. no, don't", 'I suggest Redis for caching.'],
    ['yeah right.', 'I suggest Redis for caching.'],
    ['maybe but 20', 'I suggest a pool size of 10 and a timeout of 5 s.'],
    ['yes', 'I suggest Redis or Memcached for caching.'],
    ['yes', 'I suggest Redis for caching. I could also use Memcached for caching.'],
    ['the second one', options],
    ['yes', 'All tests pass.'],
    ['ok, now run the tests again and tell me what they print', 'I suggest Redis for caching.'],
    ['what about the second one?', options],
  ])('takes up nothing: %s', (reply, before) => {
    expect(read(reply, before)).toEqual([])
  })

  it('points at the proposal', () => {
    const [accepted] = extractMessage({
      index: 5,
      message: user('yes'),
      previous: { index: 4, text: 'Fine. I suggest Redis for caching.' },
    })
    expect(accepted).toMatchObject({ kind: 'accept', proposals: [{ message: 4, start: 6, end: 34 }] })
  })
})
