import { type Estimate, estimateMean, type Sum } from '../bootstrap.ts'
import type { ByTool, Found, Played } from './played.ts'

/** Something that was looked for with tools. */
interface Searched {
  readonly searches: ByTool<Found>
}

/** A dialogue's values, for a mean over all dialogues. */
export function sum(values: readonly number[]): Sum {
  return { sum: values.reduce((total, value) => total + value, 0), n: values.length }
}

/** The mean of all values of all dialogues. */
export function meanOver(
  plays: readonly Played[],
  values: (play: Played) => readonly number[],
): Estimate | null {
  return estimateMean(plays.map((play) => sum(values(play))))
}

/** The tools that something was looked for with. */
export function toolsOf(searched: readonly Searched[]): string[] {
  return [...new Set(searched.flatMap(({ searches }) => Object.keys(searches)))]
}

/** By tool: the share for which it holds. */
export function shareByTool(
  plays: readonly Played[],
  of: (play: Played) => readonly Searched[],
  holds: (found: Found) => boolean,
): ByTool<Estimate | null> {
  return Object.fromEntries(
    toolsOf(plays.flatMap(of)).map((tool) => [
      tool,
      meanOver(plays, (play) =>
        of(play).flatMap(({ searches: { [tool]: found } }) =>
          found === undefined ? [] : [Number(holds(found))],
        ),
      ),
    ]),
  )
}

/** Whether so many calls, or none, were enough. */
export function foundWithin(most: number): (found: Found) => boolean {
  return ({ calls }) => calls !== null && calls <= most
}

/** What a tool's answers cost for each thing that was not in the prompt. */
export function searchTokens(searched: readonly Searched[], tool: string): number[] {
  return searched.flatMap(({ searches: { [tool]: found } }) =>
    found === undefined || found.calls === 0 ? [] : [found.tokens],
  )
}
