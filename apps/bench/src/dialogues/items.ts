import { type Random, shuffle } from '../workload/vocabulary.ts'
import type { ItemKind, Subject } from './dialogue.ts'
import { FUNCTION_TEMPLATES, type FunctionTemplate } from './function-templates.ts'
import { CASES, HOLDINGS, SETTINGS, STEPS, TECHNOLOGIES } from './subjects.ts'

export interface PlannedItem {
  readonly kind: ItemKind
  readonly subject: Subject
  readonly value: string
  /** A value that is said first and is wrong; undefined for most items. */
  readonly wrong?: string
  /** A second value that contradicts the first without a word; undefined for all that is settled. */
  readonly rival?: { readonly value: string; readonly by: 'user' | 'assistant' }
  say(value: string): string
}

/** A function before it is known when its numbers are said. */
export interface PlannedTask {
  readonly template: FunctionTemplate
  readonly numbers: readonly PlannedItem[]
}

/** Share of the items that are said wrongly first, and corrected later. */
const DISTRACTED_SHARE = 0.4

interface Saying {
  readonly kind: ItemKind
  readonly about: string
  readonly value: () => string
  readonly templates: readonly ((value: string) => string)[]
}

/**
 * Items for the topics of one dialogue, of six kinds in turn. No two are about the same thing. Contests are of the first
 * five.
 */
export function createItemSource(random: Random, naming: Naming) {
  const makers = createMakers(random, naming)
  const templates = createPool(FUNCTION_TEMPLATES, random)
  let nextItem = random.int(0, makers.length - 1)
  // A topic has one place only.
  let nextContest = random.int(0, makers.length - 2)
  const subject = (title: string, about: string): Subject => [title.split(' ')[0] ?? title, about]
  return {
    /** Something that is settled in the end. */
    item(title: string): PlannedItem {
      const { kind, about, value, templates } = pickAt(makers, nextItem++)(title)
      const right = value()
      const isDistracted = random.next() < DISTRACTED_SHARE
      return {
        kind,
        subject: subject(title, about),
        value: right,
        ...(isDistracted && { wrong: value() }),
        say: random.pick(templates),
      }
    },
    contest(title: string): PlannedItem {
      const { kind, about, value, templates } = pickAt(makers.slice(0, -1), nextContest++)(title)
      return {
        kind,
        subject: subject(title, about),
        value: value(),
        rival: { value: value(), by: random.pick(['user', 'assistant']) },
        say: random.pick(templates),
      }
    },
    /** A function, of whose numbers one at least is said wrongly first. */
    task(title: string): PlannedTask {
      const template = templates()
      const distracted = random.int(0, template.numbers.length - 1)
      const numbers = template.numbers.map(({ about, say }, index): PlannedItem => {
        const isDistracted = index === distracted || random.next() < DISTRACTED_SHARE
        return {
          kind: 'function number',
          subject: subject(title, about),
          value: String(naming.number()),
          ...(isDistracted && { wrong: String(naming.number()) }),
          say: (value) => say(value, title),
        }
      })
      return { template, numbers }
    },
  }
}

function createMakers(random: Random, naming: Naming): readonly ((title: string) => Saying)[] {
  const settings = createPool(SETTINGS, random)
  const technologies = createPool(TECHNOLOGIES, random)
  const cases = createPool(CASES, random)
  const steps = createPool(STEPS, random)
  const holdings = createPool(HOLDINGS, random)
  const name = (): string => `${naming.word()}_${naming.word()}`
  return [
    (title) => {
      const [about, unit] = settings()
      const templates = [
        (value: string) => `The ${about} of the ${title} is ${value}${unit}.`,
        (value: string) => `Set the ${about} of the ${title} to ${value}${unit}.`,
        (value: string) => `For the ${title} I want a ${about} of ${value}${unit}.`,
        (value: string) => `${title}: ${about} ${value}${unit}.`,
      ]
      return { kind: 'setting', about, value: () => String(naming.number()), templates }
    },
    (title) => {
      const [about, names] = technologies()
      const templates = [
        (value: string) => `The ${title} uses ${value} for its ${about}.`,
        (value: string) => `For the ${about} of the ${title} we go with ${value}.`,
        (value: string) => `Let's use ${value} for the ${about} of the ${title}.`,
      ]
      return { kind: 'technology', about, value: createPool(names, random), templates }
    },
    (title) => {
      const about = cases()
      const templates = [
        (value: string) => `When the ${about} is missing, the ${title} returns \`${value}\`.`,
        (value: string) => `A missing ${about} makes the ${title} answer \`${value}\`.`,
      ]
      const value = () => `E_${naming.number()}_${naming.word().toUpperCase()}`
      return { kind: 'special case', about, value, templates }
    },
    (title) => {
      const about = steps()
      const templates = [
        (value: string) => `The ${title} must never ${about} before \`${value}\` has run.`,
        (value: string) => `In the ${title}, always wait for \`${value}\` before you ${about}.`,
      ]
      return { kind: 'rule', about, value: name, templates }
    },
    (title) => {
      const about = holdings()
      const templates = [
        (value: string) => `The parameter of the ${title} that holds the ${about} is called \`${value}\`.`,
        (value: string) => `Name the ${about} \`${value}\` everywhere in the ${title}.`,
      ]
      return { kind: 'parameter', about, value: name, templates }
    },
    (title) => {
      const templates = [
        (value: string) => `Put the test data of the ${title} into \`${value}\`.`,
        (value: string) => `Test data of the ${title} belongs in \`${value}\`.`,
      ]
      const value = () => `tests/${naming.word()}/${naming.word()}`
      return { kind: 'place', about: 'test data', value, templates }
    },
  ]
}

function createPool<T>(values: readonly T[], random: Random): () => T {
  const left = shuffle(values, random)
  return () => {
    const value = left.pop()
    if (value === undefined) throw new Error('a dialogue wants more items than there are things to say')
    return value
  }
}

const pickAt = <T>(values: readonly T[], index: number): T => values[index % values.length] as T

export type Naming = ReturnType<typeof createNaming>

const CONSONANTS = [...'bdfgklmnprstvz']
const VOWELS = [...'aeiou']

/** Names and numbers that no two things of a dialogue share. */
export function createNaming(random: Random) {
  const used = new Set<string | number>()
  const fresh = <T extends string | number>(make: () => T): T => {
    const made = make()
    if (used.has(made)) return fresh(make)
    used.add(made)
    return made
  }
  const syllable = (): string => random.pick(CONSONANTS) + random.pick(VOWELS)
  return {
    word: (): string => fresh(() => Array.from({ length: 4 }, syllable).join('')),
    number: (): number => fresh(() => random.int(101, 4999)),
  }
}
