import type { Abstention, Contradictions, NeedleScores, TrailScores } from './arm-summary.ts'
import type { Played, Trail } from './played.ts'
import { foundWithin, meanOver, shareByTool } from './sums.ts'

/** How much of what was said in two ways is marked so, and how much that was not. */
export function scoreContradictions(plays: readonly Played[]): Contradictions {
  const contests = ({ probes }: Played) => probes.flatMap((probe) => probe.contests)
  const by = (who: 'user' | 'assistant') =>
    meanOver(plays, (play) =>
      contests(play)
        .filter(({ contest }) => contest.by === who)
        .map(({ isFlaggedWithTools }) => Number(isFlaggedWithTools)),
    )
  return {
    flagged: meanOver(plays, (play) => contests(play).map(({ isFlagged }) => Number(isFlagged))),
    flaggedWithTools: meanOver(plays, (play) =>
      contests(play).map(({ isFlaggedWithTools }) => Number(isFlaggedWithTools)),
    ),
    by: { user: by('user'), assistant: by('assistant') },
    falselyFlagged: meanOver(plays, ({ probes }) =>
      probes.flatMap(({ items }) => items).map(({ isFlagged }) => Number(isFlagged)),
    ),
  }
}

/** The changed files that prompts present as changed. Questions before the first change of a file have no trail. */
export function scoreTrail(plays: readonly Played[]): TrailScores {
  const mean = (score: (trail: Trail) => readonly number[]) =>
    meanOver(plays, ({ probes }) => probes.flatMap(({ trail }) => (trail.changed === 0 ? [] : score(trail))))
  return {
    f1: mean(({ changed, presented, right }) => [(2 * right) / (changed + presented)]),
    recall: mean(({ changed, right }) => [right / changed]),
    precision: mean(({ presented, right }) => (presented === 0 ? [] : [right / presented])),
  }
}

/** How often a question without an answer finds nothing that could be taken for one. */
export function scoreAbstention(plays: readonly Played[]): Abstention {
  const decoys = ({ probes }: Played) => probes.map(({ decoy }) => decoy)
  const by = (origin: 'absent' | 'foreign') =>
    meanOver(plays, (play) =>
      decoys(play)
        .filter(({ decoy }) => decoy.origin === origin)
        .map(({ isAnswered }) => Number(!isAnswered)),
    )
  return {
    inPrompt: meanOver(plays, (play) => decoys(play).map(({ isAnswered }) => Number(!isAnswered))),
    withTools: meanOver(plays, (play) =>
      decoys(play).map(({ isAnsweredWithTools }) => Number(!isAnsweredWithTools)),
    ),
    by: { absent: by('absent'), foreign: by('foreign') },
  }
}

/** How many planted facts are in the last prompt that is asked something, or found by tools from there. */
export function scoreNeedles(plays: readonly Played[]): NeedleScores {
  const needles = (play: Played) => play.needles
  const by = (where: 'user' | 'tool') =>
    meanOver(plays, (play) =>
      needles(play)
        .filter(({ needle }) => needle.where === where)
        .map(({ isShown }) => Number(isShown)),
    )
  return {
    recall: meanOver(plays, (play) => needles(play).map(({ isShown }) => Number(isShown))),
    by: { user: by('user'), tool: by('tool') },
    reached: shareByTool(plays, needles, foundWithin(1)),
    reachedAt3: shareByTool(plays, needles, foundWithin(3)),
  }
}
