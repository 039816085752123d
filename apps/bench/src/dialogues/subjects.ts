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

/** The three numbers of each kind of function, and the sentences that settle them: `{t}` is the topic, `{v}` the value. */
export const FUNCTIONS = [
  [
    ['first pause', 'The first pause of the {t} takes {v} ms.'],
    ['growth', 'Each further pause of the {t} has a growth of {v} ms over the one before.'],
    ['longest pause', 'The longest pause of the {t} takes {v} seconds, whatever the growth.'],
  ],
  [
    ['base fee', 'The base fee of the {t} is {v} cents.'],
    ['step fee', 'The step fee of the {t}, on top for each started 10,000 cents, is {v} cents.'],
    ['waiver', 'The {t} has a waiver: orders from {v} euros on are free.'],
  ],
  [
    ['part size', 'The part size of the {t} is {v} kilobytes.'],
    ['part duration', 'Each started part of the {t} has a part duration of {v} ms.'],
    ['part limit', 'The part limit of the {t} is {v}: an upload with more is refused.'],
  ],
  [
    ['reward', 'The reward of the {t} is {v} points a hit.'],
    ['penalty', 'The penalty of the {t} is {v} points off a miss.'],
    ['hit limit', 'The hit limit of the {t} is {v}: hits beyond it earn nothing.'],
  ],
  [
    ['lower bound', 'The middle zone of the {t} begins at a lower bound of {v}.'],
    ['zone width', 'The middle zone of the {t} has a zone width of {v}; what lies behind it is high.'],
    ['sensor code', 'A reading below zero makes the {t} give the sensor code {v}.'],
  ],
] as const
