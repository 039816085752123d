import { countMessages, type Message, type TokenCounter } from '@palimpsest/core'
import about from '../../data/measures.json' with { type: 'json' }
import { type EngineArm, openEngine } from '../arms/engines.ts'
import { playAll, requestsOf } from '../arms/play-arm.ts'
import type { RecordedSession } from '../commands/options.ts'
import type { Progress } from '../progress.ts'
import { distinct, type FiguresOf, type Measures, meanOver, measurePlays, named } from '../report/measure.ts'
import { interval, left, right, type Section, tableOf, whole } from '../report/section.ts'
import { askedAt, type Kept, keptIn, readForKept } from './kept-in.ts'
import { projectSimply, SIMPLE_PROJECTIONS } from './simple-projections.ts'

export type Shown<Cases> = { readonly arm: string; readonly tokens: number; readonly cases: Cases }

type ProjectionMeasures<Cases> = Measures<readonly (readonly Shown<Cases>[])[]>

/** The figures of an engine, or of a projection of its size, over all compactions of all conversations. */
export interface ProjectionRow<Shares> {
  readonly engine: string
  readonly window: number
  readonly arm: string
  readonly compactions: number
  readonly tokens: number
  readonly shares: Shares
}

export interface CompareInput {
  readonly engines: readonly EngineArm[]
  readonly windows: readonly number[]
  readonly tokens: TokenCounter
  readonly progress: Progress
}

/**
 * Replays conversations. At each compaction the engine's projection, and simple ones of its size, are asked what `askAt`
 * gives.
 */
export async function compareProjections<
  Talk extends { readonly messages: readonly Message[] },
  Cases,
  const All extends ProjectionMeasures<Cases>,
>(
  { engines, windows, tokens, progress }: CompareInput,
  talks: readonly Talk[],
  measures: All & ProjectionMeasures<Cases>,
  askAt: (talk: Talk, message: number) => (projection: readonly Message[]) => Cases,
): Promise<ProjectionRow<FiguresOf<All>>[]> {
  const replay = async (engine: EngineArm, contextLength: number, talk: Talk) => {
    const { messages } = talk
    const opened = openEngine(engine, { contextLength, tokens, sessionId: 'kept', reportsUsage: false })
    const shown: Shown<Cases>[] = []
    for (const { length, answer } of requestsOf(messages)) {
      const transcript = messages.slice(0, length)
      const { messages: own, compacted } = await opened.project(transcript)
      await opened.answered(answer)
      if (!compacted) continue
      const ask = askAt(talk, length)
      const add = (arm: string, list: readonly Message[]) =>
        shown.push({ arm, tokens: countMessages(tokens, list), cases: ask(list) })
      add(engine.name, own)
      const size = countMessages(tokens, own)
      for (const simple of SIMPLE_PROJECTIONS)
        add(simple.name, projectSimply(simple, transcript, size, tokens))
    }
    await opened.end()
    return shown
  }
  return playAll({ arms: engines, budgets: windows, talks, progress }, replay, (engine, window, plays) => {
    return distinct(plays.flat().map(({ arm }) => arm)).map((arm) => {
      const own = plays.map((play) => play.filter((each) => each.arm === arm))
      const compactions = own.flat().length
      const tokens = own.flat().reduce((sum, each) => sum + each.tokens, 0) / compactions
      return {
        engine: engine.name,
        window,
        arm,
        compactions,
        tokens,
        shares: measurePlays<readonly (readonly Shown<Cases>[])[], All>(measures, own),
      }
    })
  })
}

/** A table for each window: engines, each with simple projections of its size below it. `counted`: those whose n is shown. */
export function projectionSections<All extends Measures<never>>(
  rows: readonly ProjectionRow<FiguresOf<All>>[],
  measures: All,
  { title, counted }: { readonly title: string; readonly counted: readonly (keyof All)[] },
): Section[] {
  type Row = (typeof rows)[number]
  const figure = ({ shares }: Row, key: keyof All) => {
    const found = shares[key]
    return typeof found === 'number' ? null : (found ?? null)
  }
  return distinct(rows.map(({ window }) => window)).map((window) => ({
    level: 3,
    title: `${title} window of ${whole(window)} tokens`,
    table: tableOf(
      rows.filter((row) => row.window === window),
      [
        left('engine', ({ arm, engine, compactions }) =>
          arm === engine ? `${engine}, ${whole(compactions)} compactions` : '',
        ),
        left('arm of its size', ({ arm }) => arm),
        right('tokens', ({ tokens }) => whole(tokens)),
        ...Object.entries(measures).map(([key, { name }]) =>
          right(name, (row: Row) => interval(figure(row, key))),
        ),
        right('n', (row) => counted.map((key) => whole(figure(row, key)?.n ?? 0)).join(' ')),
      ],
    ),
  }))
}

const overCases = (key: keyof Kept) =>
  meanOver((shown: readonly Shown<Kept>[]) => shown.flatMap(({ cases }) => cases[key]))

export const KEPT_MEASURES = named(about.kept, {
  names: overCases('names'),
  relations: overCases('relations'),
  words: overCases('words'),
})

export type KeptRow = ProjectionRow<FiguresOf<typeof KEPT_MEASURES>>

export async function runKept(
  input: CompareInput & { readonly sessions: readonly RecordedSession[] },
): Promise<KeptRow[]> {
  const readings = input.sessions.map(({ messages }) => readForKept(messages))
  return compareProjections(input, readings, KEPT_MEASURES, (reading, message) => {
    const asked = askedAt(reading, message)
    return (projection): Kept => keptIn(projection, asked, reading)
  })
}
