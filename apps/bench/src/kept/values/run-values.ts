import type { Message } from '@palimpsest/core'
import about from '../../../data/measures.json' with { type: 'json' }
import { passages } from '../../dialogues/presence.ts'
import { textOf } from '../../recall/whole-word.ts'
import { type FiguresOf, meanOver, named, type Values } from '../../report/measure.ts'
import {
  type CompareInput,
  compareProjections,
  type KeptRow,
  type ProjectionRow,
  type Shown,
} from '../compare-projections.ts'
import { oneLine, withoutLists } from '../kept-in.ts'
import { generateValueDialogue, type Statement, type Subject } from './value-dialogue.ts'

type Case = AskedValue & Standing
type Play = readonly Shown<readonly Case[]>[]

/** A mean over cases; dialogues without a compaction have no part in it. */
const overCases = (values: (cases: readonly Case[]) => Values) => (plays: readonly Play[]) =>
  meanOver((play: Play) => play.flatMap(({ cases }) => values(cases)))(
    plays.filter(({ length }) => length > 0),
  )

const withOld = (cases: readonly Case[]): Case[] => cases.filter(({ olds }) => olds.length > 0)

export const VALUE_MEASURES = named(about.values, {
  current: overCases((cases) => cases.map(({ current }) => current)),
  oldAlone: overCases((cases) => withOld(cases).map(({ oldAlone }) => oldAlone)),
  oldUnmarked: overCases((cases) => withOld(cases).map(({ oldUnmarked }) => oldUnmarked)),
})

export type ValueRow = ProjectionRow<FiguresOf<typeof VALUE_MEASURES>>

export type ValuesReport = { readonly seeds: number; readonly rows: readonly ValueRow[] }

export type KeptReport = { readonly sessions?: readonly KeptRow[]; readonly values?: ValuesReport }

/** Looks for every value behind each compaction of generated dialogues, which have the seeds from 1 to `seeds`. */
export async function runValues({
  seeds,
  ...input
}: CompareInput & { readonly seeds: number }): Promise<ValuesReport> {
  const dialogues = Array.from({ length: seeds }, (_, index) => generateValueDialogue(index + 1))
  const rows = await compareProjections(input, dialogues, VALUE_MEASURES, ({ statements }, message) => {
    const asked = valuesAt(statements, message)
    return (projection): readonly Case[] => {
      const standingOf = readValues(projection)
      return asked.map((each) => ({ ...each, ...standingOf(each) }))
    }
  })
  return { seeds, rows }
}

interface Standing {
  /** The value that holds stands near a word of its subject, or in the user's own sentence. */
  readonly current: boolean
  /** A value that is over stands so, and the one that holds does not. */
  readonly oldAlone: boolean
  /** A line of a block of decisions shows a value that is over as if it held. */
  readonly oldUnmarked: boolean
}

interface AskedValue {
  readonly latest: Statement
  readonly before: readonly Statement[]
  readonly olds: readonly string[]
}

/** A block that an engine writes of what was decided: behind the system prompt, or next to the query. */
const BLOCK = /<(\w*decisions)>\n[\s\S]*?<\/\1>/g
/** Words by which a line marks a value as over, contested, or undecided. */
const MARK =
  /\b(?:superseded|replaced|overridden|contested|given up|taken back|retracted|withdrawn|dropped|changed|outdated|proposed|not confirmed|not decided)\b/i
/** Values behind these words are over, up to the end of the note. */
const OVER = /\b(?:was|were|replaces|no longer|instead of|before that|earlier)\b[^;)\]\n]*/gi

/** The cases of a projection that was made for the message with that index, one for each subject. */
export function valuesAt(statements: readonly Statement[], message: number): AskedValue[] {
  const before = statements.filter(({ at }) => at < message)
  return [...Map.groupBy(before, ({ subject }) => subject).values()].flatMap((all) => {
    const latest = all.at(-1)
    if (latest === undefined) return []
    const olds = all.flatMap(({ value }) => (value === undefined || value === latest.value ? [] : [value]))
    return [{ latest, before: all.slice(0, -1), olds: [...new Set(olds)] }]
  })
}

export function readValues(projection: readonly Message[]): (asked: AskedValue) => Standing {
  const texts = projection.map(readable)
  const plain = oneLine(texts.join('\n'))
  const lines = texts.flatMap((text) =>
    [...text.matchAll(BLOCK)].flatMap(([block]) => block.split(/\n(?! {2})/)),
  )
  const isTied = (value: string, subject: Subject): boolean =>
    passages(texts, value).some(({ text }) => isAbout(text, subject))
  const isSaid = ({ sentence, value }: Statement): boolean =>
    (value === undefined || sentence.includes(value)) && plain.includes(oneLine(sentence))

  return ({ latest, before, olds }) => {
    const { subject, value } = latest
    const isMarked = (old: string): boolean =>
      passages(texts, old).some(
        ({ text }) => isAbout(text, subject) && (MARK.test(text) || text.search(OVER) >= 0),
      )
    const current = isSaid(latest) || (value === undefined ? olds.some(isMarked) : isTied(value, subject))
    const isOldShown = olds.some(
      (old) => isTied(old, subject) || before.some((each) => each.value === old && isSaid(each)),
    )
    const oldUnmarked = lines.some((line) => {
      const claimed = line.replace(OVER, '')
      const holds = (each: string): boolean => passages([claimed], each).length > 0
      const isCorrected = value !== undefined && holds(value)
      return isAbout(line, subject) && olds.some(holds) && !isCorrected && !MARK.test(line)
    })
    return { current, oldAlone: !current && isOldShown, oldUnmarked }
  }
}

/** True for a text with a word that begins with one of the subject's. */
export function isAbout(text: string, { words }: Subject): boolean {
  const plain = text.toLowerCase().replace(/[_-]+/g, ' ')
  return words.some((word) => new RegExp(`(?<!\\p{L})${word}`, 'u').test(plain))
}

const known = new WeakMap<Message, string>()

/** The text of a message without lists of names. */
function readable(message: Message): string {
  const text = known.get(message) ?? withoutLists(textOf(message))
  known.set(message, text)
  return text
}
