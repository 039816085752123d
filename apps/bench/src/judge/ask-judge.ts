import { type CompletionModel, looseOf } from '@palimpsest/core'
import { withoutThinking } from '@palimpsest/core/summarizer'
import { z } from 'zod'
import prompts from '../../data/judge.json' with { type: 'json' }
import type { Item } from '../dialogues/dialogue.ts'
import type { ModelMeter } from './model-meter.ts'

/** `stale`: a corrected value as what holds. `not-stated`: silence, a vague phrase, a refusal. `wrong`: any other value. */
export const VERDICTS = ['holds', 'stale', 'not-stated', 'wrong'] as const

export type Verdict = (typeof VERDICTS)[number]

const VERDICT_LIST = z.array(z.object({ fact: z.coerce.number(), verdict: z.enum(VERDICTS) }))

export interface Fact {
  /** The subject: `the quota of the voucher import`, `where the test data of the voucher import belongs`. */
  readonly about: string
  /** The value that holds; null for what was never stated. */
  readonly value: string | null
  /** A value that was said first and is wrong; null where there is none. */
  readonly wrong: string | null
  /** The item of the dialogue; null for what was never stated. */
  readonly item: Item | null
}

export interface JudgedText {
  readonly question: string
  readonly facts: readonly Fact[]
  readonly answer: string
}

function judgePrompt({ question, facts, answer }: JudgedText): string {
  const lines = facts.map(({ about, value, wrong }, index) =>
    JSON.stringify({ fact: index + 1, about, value, ...(wrong !== null && { corrected: wrong }) }),
  )
  return [
    quoteBlock('question', question),
    quoteBlock('facts', lines.join('\n')),
    quoteBlock('answer', answer),
    `Grade facts 1 to ${facts.length}.`,
  ].join('\n\n')
}

const TRIES = 2

export interface Judge {
  readonly model: CompletionModel
  readonly meter: ModelMeter
  readonly signal: AbortSignal
}

/** One verdict for each fact; undefined when the judge twice gave none that can be read. Rejects with a `ModelError`. */
export function askJudge(judge: Judge, text: JudgedText): Promise<Verdict[] | undefined> {
  const call = { system: prompts.grade.join('\n'), prompt: judgePrompt(text) }
  return askUntilRead(judge, call, (answer) => readVerdicts(answer, text.facts.length))
}

/** The value that could be read from an answer of the judge. Undefined, and rejects, as `askJudge` does. */
async function askUntilRead<Value>(
  { model, meter, signal }: Judge,
  call: { readonly system: string; readonly prompt: string },
  read: (answer: string) => Value | undefined,
): Promise<Value | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await meter.send(() => model.complete({ ...call, signal }))
    const value = read(answer.text)
    if (value !== undefined) return value
  }
  return undefined
}

/** Undefined when a fact is missing, is there twice, or has an unknown verdict: such a judge is not believed in part. */
export function readVerdicts(text: string, count: number): Verdict[] | undefined {
  const { data: list } = VERDICT_LIST.safeParse(readList(text, 'verdicts'))
  if (list?.length !== count) return undefined
  const verdicts = new Map(list.map(({ fact, verdict }) => [fact, verdict]))
  const inOrder = Array.from({ length: count }, (_, index) => verdicts.get(index + 1))
  return inOrder.every((verdict) => verdict !== undefined) ? inOrder : undefined
}

/** Tags that the judge's prompt quotes something in. */
const TAGS = ['question', 'facts', 'answer'] as const
const TAG = new RegExp(`<(/?(?:${TAGS.join('|')})\\b)`, 'gi')

/** A text in a block of the judge's prompt, which it can neither close nor open another of. */
function quoteBlock(tag: (typeof TAGS)[number], text: string): string {
  return `<${tag}>\n${text.replace(TAG, '<\\$1')}\n</${tag}>`
}

/** The list that a judge was asked for, under this key; it may stand in a fence, between sentences, or alone. */
function readList(text: string, key: string): unknown {
  const answer = withoutThinking(text)
  const start = answer.search(/[{[]/)
  if (start < 0) return undefined
  const end = answer.lastIndexOf(answer[start] === '{' ? '}' : ']')
  try {
    const value: unknown = JSON.parse(answer.slice(start, end + 1))
    return Array.isArray(value) ? value : looseOf(value)[key]
  } catch {
    return undefined
  }
}

const LINE_LIST = z.array(z.object({ line: z.number(), fact: z.int().positive().nullable() }))

export type Matches = readonly (number | null)[]

type ListInput = { readonly gold: readonly string[]; readonly lines: readonly string[] }

/** Which line states which fact. Undefined when the judge twice gave nothing that can be read; rejects as `askJudge` does. */
export async function matchList(judge: Judge, { gold, lines }: ListInput): Promise<Matches | undefined> {
  if (lines.length === 0) return []
  const numbered = (key: string, texts: readonly string[]): string =>
    texts.map((text, index) => JSON.stringify({ [key]: index + 1, text })).join('\n')
  const prompt = [
    quoteBlock('facts', numbered('fact', gold)),
    quoteBlock('answer', numbered('line', lines)),
    `Match lines 1 to ${lines.length}.`,
  ].join('\n\n')
  const read = (answer: string) => readMatches(answer, lines.length, gold.length)
  return askUntilRead(judge, { system: prompts.match.join('\n'), prompt }, read)
}

/**
 * Undefined when a line is missing, is there twice, or names an unknown fact. Of lines with the same fact, the first has it.
 */
export function readMatches(text: string, lines: number, facts: number): Matches | undefined {
  const { data: list } = LINE_LIST.safeParse(readList(text, 'lines'))
  if (list?.length !== lines) return undefined
  const byLine = new Map(list.map(({ line, fact }) => [line, fact]))
  const taken = new Set<number>()
  const matches: (number | null)[] = []
  for (let line = 1; line <= lines; line++) {
    const fact = byLine.get(line)
    if (fact === undefined || (fact !== null && fact > facts)) return undefined
    matches.push(fact === null || taken.has(fact) ? null : fact - 1)
    if (fact !== null) taken.add(fact)
  }
  return matches
}

export function readLines(answer: string): string[] {
  const lines = answer.split('\n').map((line) => line.trim())
  const points = lines.flatMap(
    (line) => /^(?:[-*•]|\d+[.)])\s+(?<point>.*\S)/.exec(line)?.groups?.point ?? [],
  )
  return points.length > 0 ? points : lines.filter((line) => /[\p{L}\p{N}]/u.test(line))
}
