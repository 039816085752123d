import data from '../../data/dialogues.json' with { type: 'json' }
import { type Random, shuffle } from '../workload/vocabulary.ts'
import type { ItemKind, Subject } from './dialogue.ts'
import { FUNCTION_TEMPLATES, type FunctionTemplate } from './function-templates.ts'

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
export type PlannedTask = { readonly template: FunctionTemplate; readonly numbers: readonly PlannedItem[] }

/** Share of the items that are said wrongly first, and corrected later. */
const DISTRACTED_SHARE = 0.4

type Maker = () => { readonly about: string; readonly unit?: string; readonly value: () => string }

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
  const make = (title: string, [kind, maker]: readonly [ItemKind, Maker]) => {
    const { about, unit = '', value } = maker()
    const right = value()
    const finish = (more: Pick<PlannedItem, 'wrong' | 'rival'>): PlannedItem => {
      const template = random.pick(data.kinds[kind].says)
      const say = (said: string) => fillIn(template, { about, title, unit, value: said })
      return { kind, subject: subject(title, about), value: right, ...more, say }
    }
    return { value, finish }
  }
  return {
    /** Something that is settled in the end. */
    item(title: string): PlannedItem {
      const { value, finish } = make(title, pickAt(makers, nextItem++))
      return finish(random.next() < DISTRACTED_SHARE ? { wrong: value() } : {})
    },
    contest(title: string): PlannedItem {
      const { value, finish } = make(title, pickAt(makers.slice(0, -1), nextContest++))
      return finish({ rival: { value: value(), by: random.pick(['user', 'assistant']) } })
    },
    /** A function, of whose numbers one at least is said wrongly first. */
    task(title: string): PlannedTask {
      const template = templates()
      const distracted = random.int(0, template.numbers.length - 1)
      const numbers = template.numbers.map(([about, says], index): PlannedItem => {
        const isDistracted = index === distracted || random.next() < DISTRACTED_SHARE
        return {
          kind: 'function number',
          subject: subject(title, about),
          value: String(naming.number()),
          ...(isDistracted && { wrong: String(naming.number()) }),
          say: (value) => fillIn(says, { value, title }),
        }
      })
      return { template, numbers }
    },
  }
}

/** No title and no subject of the data is a word of the vocabulary that fills tool results. */
function createMakers(random: Random, naming: Naming): readonly (readonly [ItemKind, Maker])[] {
  const settings = createPool(data.settings, random)
  const technologies = createPool(data.technologies, random)
  const cases = createPool(data.cases, random)
  const steps = createPool(data.steps, random)
  const holdings = createPool(data.holdings, random)
  const name = (): string => `${naming.word()}_${naming.word()}`
  const technology: Maker = () => {
    const { about, names } = technologies()
    return { about, value: createPool(names, random) }
  }
  return [
    ['setting', () => ({ ...settings(), value: () => String(naming.number()) })],
    ['technology', technology],
    [
      'special case',
      () => ({ about: cases(), value: () => `E_${naming.number()}_${naming.word().toUpperCase()}` }),
    ],
    ['rule', () => ({ about: steps(), value: name })],
    ['parameter', () => ({ about: holdings(), value: name })],
    ['place', () => ({ about: 'test data', value: () => `tests/${naming.word()}/${naming.word()}` })],
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

/** A text of the data with a value in each place of braces. */
export const fillIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '')
