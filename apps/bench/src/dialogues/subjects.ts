/** Settings with their units. No subject of this file is a word of the vocabulary that fills tool results. */
export const SETTINGS = [
  ['attempts', ''],
  ['grace period', ' minutes'],
  ['lease', ' seconds'],
  ['backlog', ' entries'],
  ['quota', ' per hour'],
  ['deadline', ' ms'],
  ['page length', ' rows'],
  ['sampling rate', ' Hz'],
  ['retention', ' days'],
  ['concurrency', ''],
  ['tolerance', ' cents'],
  ['watermark', ' MB'],
  ['cooldown', ' seconds'],
  ['heartbeat', ' ms'],
  ['burst allowance', ' calls'],
  ['fan-out', ' workers'],
] as const

/** Uses of technologies, with those that a team would choose from. */
export const TECHNOLOGIES = [
  ['master records', ['PostgreSQL', 'MySQL', 'SQLite', 'MongoDB', 'CockroachDB', 'MariaDB']],
  ['background jobs', ['RabbitMQ', 'Kafka', 'NATS', 'Celery']],
  ['hot lookups', ['Redis', 'Memcached', 'Valkey']],
  ['sign-in', ['JWT', 'OAuth 2', 'SAML', 'session cookies']],
  ['public endpoints', ['FastAPI', 'Flask', 'Django', 'Starlette']],
  ['unit checks', ['pytest', 'unittest', 'nose2']],
] as const

/** Inputs that may be missing, so that something special is returned. */
export const CASES = [
  'manifest',
  'barcode',
  'currency',
  'postcode',
  'checksum column',
  'locale',
  'thumbprint',
  'invoice number',
] as const

/** Steps that have to wait for others. */
export const STEPS = [
  'send mail',
  'charge a card',
  'delete anything',
  'answer the client',
  'release the lock',
  'write to disk',
] as const

/** Contents of parameters. */
export const HOLDINGS = [
  'opening balance',
  'carrier',
  'preferred language',
  'depth of the tree',
  'cut-off date',
  'batch owner',
] as const

/** Subjects that come up in questions alone. */
export const NEVER_SETTLED = [
  'handover window',
  'refund ceiling',
  'escalation contact',
  'audit horizon',
  'surcharge',
  'blackout span',
] as const
