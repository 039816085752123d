import type { Message } from '@palimpsest/core'
import data from '../../data/dialogues.json' with { type: 'json' }
import type { FunctionCase, FunctionTemplate } from './function-templates.ts'

/** A requirement of a dialogue: what is to be built, what it is called, and what was said about it. */
export interface Topic {
  /** Two words, such as `voucher import`. */
  readonly title: string
  readonly items: readonly Item[]
  /** Its function, whose numbers are among the items. */
  readonly task: FunctionTask
  /** Statements that contradict each other. None of them is an item. */
  readonly contests: readonly Contest[]
}

/** A topic's function computes with a `function number`. */
export type ItemKind = keyof typeof data.kinds

export interface Item {
  readonly kind: ItemKind
  /** Words that say what it is about; no other item of the dialogue has them all. */
  readonly subject: Subject
  /** The final value: a number, a technology, a name. */
  readonly value: string
  /** Index of the message with which the value holds: stated, corrected, or accepted. */
  readonly settledAt: number
  /** An earlier value that was corrected later in words, with the index of its message. */
  readonly wrong?: { readonly value: string; readonly statedAt: number }
}

/** A function that a topic is about: to be written by whoever knows its numbers as they hold in the end. */
export interface FunctionTask {
  readonly name: string
  readonly template: FunctionTemplate
  readonly numbers: readonly Item[]
}

/** The first word of the topic's title, and what of the topic is meant. */
export type Subject = readonly [topic: string, about: string]

/**
 * Two values for one thing: the user states the second as if there were no first, or the assistant uses another one unasked.
 */
export interface Contest {
  readonly kind: ItemKind
  readonly subject: Subject
  /** In the order in which they were said. */
  readonly values: readonly [string, string]
  readonly by: 'user' | 'assistant'
  readonly contestedAt: number
}

export interface Decoy {
  readonly subject: Subject
  /** `absent`: it is never mentioned. `foreign`: it was settled for another topic. */
  readonly origin: 'absent' | 'foreign'
}

/** A user's question that needs what was said about a topic. It holds words of the subjects, none of the values. */
export type Probe = { readonly message: number; readonly topic: Topic; readonly decoy: Decoy }

export type RaisedTopic = { readonly title: string; readonly message: number }

/** A change of a file by a call, with its place in the conversation. */
export interface FileChange {
  /** The file's name without its folders. Of a renamed file both names are changed. */
  readonly file: string
  readonly message: number
}

/** A generated conversation, with what a perfect memory would know at each probe. */
export interface Dialogue {
  readonly seed: number
  readonly messages: readonly Message[]
  readonly topics: readonly Topic[]
  readonly probes: readonly Probe[]
  /** All that the user wanted something of, in order: the topics, and what was mentioned once in between. */
  readonly raised: readonly RaisedTopic[]
  /** Names of all files that calls name, without their folders; each is unique. */
  readonly files: readonly string[]
  readonly changes: readonly FileChange[]
}

export function settledItems({ topic, message }: Probe): readonly Item[] {
  return topic.items.filter(({ settledAt }) => settledAt < message)
}

/** The contests by then. */
export function openContests({ topic, message }: Probe): readonly Contest[] {
  return topic.contests.filter(({ contestedAt }) => contestedAt < message)
}

/** The function as it is asked for, without a word on the numbers. */
export function signatureOf({ name, template: { parameters, gives } }: FunctionTask): string {
  return `\`${name}(${parameters})\`, which gives ${gives}`
}

/** The function in JavaScript, with its numbers as they hold, or with others in their place. */
export function solveTask({ name, template, numbers }: FunctionTask, values = valuesOf(numbers)): string {
  return `function ${name}(${template.parameters}) {\n  return ${template.solution(threeOf(values))}\n}`
}

export function casesOf({ template, numbers }: FunctionTask): readonly FunctionCase[] {
  return template.cases(threeOf(valuesOf(numbers)))
}

const valuesOf = (numbers: readonly Item[]): number[] => numbers.map(({ value }) => Number(value))

const threeOf = ([a = Number.NaN, b = Number.NaN, c = Number.NaN]: readonly number[]) => [a, b, c] as const
