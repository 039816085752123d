import type { Random } from '../workload/random.ts'
import type { ItemKind } from './dialogue.ts'
import type { Naming } from './naming.ts'
import { shuffle } from './shuffle.ts'

/** An item before it is known when it is said. */
export interface PlannedItem {
  readonly kind: ItemKind
  readonly subject: readonly string[]
  readonly value: string
  /** A value that is said first and is wrong; undefined for most items. */
  readonly wrong?: string
  /** A user's sentence that gives a value. */
  say(value: string): string
}

/** Share of the items that are said wrongly first, and corrected later. */
const DISTRACTED_SHARE = 0.4

const SETTINGS = [
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
] as const

const TECHNOLOGIES = [
  ['master records', ['PostgreSQL', 'MySQL', 'SQLite', 'MongoDB', 'CockroachDB', 'MariaDB']],
  ['background jobs', ['RabbitMQ', 'Kafka', 'NATS', 'Celery']],
  ['hot lookups', ['Redis', 'Memcached', 'Valkey']],
  ['sign-in', ['JWT', 'OAuth 2', 'SAML', 'session cookies']],
  ['public endpoints', ['FastAPI', 'Flask', 'Django', 'Starlette']],
  ['unit checks', ['pytest', 'unittest', 'nose2']],
] as const

const CASES = [
  'manifest',
  'barcode',
  'currency',
  'postcode',
  'checksum column',
  'locale',
  'thumbprint',
  'invoice number',
]
const STEPS = [
  'send mail',
  'charge a card',
  'delete anything',
  'answer the client',
  'release the lock',
  'write to disk',
]
const HOLDINGS = [
  'opening balance',
  'carrier',
  'preferred language',
  'depth of the tree',
  'cut-off date',
  'batch owner',
]

/**
 * Makes items for the topics of one dialogue, of six kinds in turn: a setting, a technology, the result of a special
 * case, a rule, a parameter, a place. No two are about the same thing.
 */
export function createItemSource(random: Random, naming: Naming): (title: string) => PlannedItem {
  const settings = createPool(SETTINGS, random)
  const technologies = createPool(TECHNOLOGIES, random)
  const cases = createPool(CASES, random)
  const steps = createPool(STEPS, random)
  const holdings = createPool(HOLDINGS, random)

  const item = (
    kind: ItemKind,
    title: string,
    about: string,
    value: () => string,
    templates: readonly ((value: string) => string)[],
  ): PlannedItem => ({
    kind,
    subject: [title.split(' ')[0] ?? title, about],
    value: value(),
    ...(random.next() < DISTRACTED_SHARE && { wrong: value() }),
    say: random.pick(templates),
  })
  const name = (): string => `${naming.word()}_${naming.word()}`

  const makers: readonly ((title: string) => PlannedItem)[] = [
    (title) => {
      const [about, unit] = settings()
      return item('setting', title, about, () => String(naming.number()), [
        (value) => `The ${about} of the ${title} is ${value}${unit}.`,
        (value) => `Set the ${about} of the ${title} to ${value}${unit}.`,
        (value) => `For the ${title} I want a ${about} of ${value}${unit}.`,
        (value) => `${title}: ${about} ${value}${unit}.`,
      ])
    },
    (title) => {
      const [about, names] = technologies()
      return item('technology', title, about, createPool(names, random), [
        (value) => `The ${title} uses ${value} for its ${about}.`,
        (value) => `For the ${about} of the ${title} we go with ${value}.`,
        (value) => `Let's use ${value} for the ${about} of the ${title}.`,
      ])
    },
    (title) => {
      const about = cases()
      return item('special case', title, about, () => `E_${naming.number()}_${naming.word().toUpperCase()}`, [
        (value) => `When the ${about} is missing, the ${title} returns \`${value}\`.`,
        (value) => `A missing ${about} makes the ${title} answer \`${value}\`.`,
      ])
    },
    (title) => {
      const about = steps()
      return item('rule', title, about, name, [
        (value) => `The ${title} must never ${about} before \`${value}\` has run.`,
        (value) => `In the ${title}, always wait for \`${value}\` before you ${about}.`,
      ])
    },
    (title) => {
      const about = holdings()
      return item('parameter', title, about, name, [
        (value) => `The parameter of the ${title} that holds the ${about} is called \`${value}\`.`,
        (value) => `Name the ${about} \`${value}\` everywhere in the ${title}.`,
      ])
    },
    (title) =>
      item('place', title, 'test data', () => `tests/${naming.word()}/${naming.word()}`, [
        (value) => `Put the test data of the ${title} into \`${value}\`.`,
        (value) => `Test data of the ${title} belongs in \`${value}\`.`,
      ]),
  ]
  let next = random.int(0, makers.length - 1)
  return (title) => (makers[next++ % makers.length] as (typeof makers)[number])(title)
}

/** The values of a list in random order, each once. */
function createPool<T>(values: readonly T[], random: Random): () => T {
  const left = shuffle(values, random)
  return () => {
    const value = left.pop()
    if (value === undefined) throw new Error('a dialogue wants more items than there are things to say')
    return value
  }
}
