import type { Dialogue } from '../dialogues/dialogue.ts'
import type { Progress } from '../progress.ts'
import { percent } from '../report/format.ts'
import { askJudge, type Judge, type Verdict } from './ask-judge.ts'
import { settleCall } from './model-meter.ts'
import { EXPECTED, PLANTED_KINDS, type PlantedKind, plantAnswers } from './planted-answer.ts'

/** How the judge took answers of which it is known what is right. */
export interface JudgeCheck {
  /** Share of vague and wrong answers that it accepted; null when it judged none. */
  readonly leniency: number | null
  /** Share of right answers, in the usual and in other words, that it did not accept; null when it judged none. */
  readonly severity: number | null
  /** Vague and wrong answers that it judged, and right ones. */
  readonly n: { readonly leniency: number; readonly severity: number }
  /** Why its figures are not to be trusted, in sentences. Empty for a judge that passed. */
  readonly doubts: readonly string[]
  /** Facts by what was planted and what the judge said of them. */
  readonly confusion: readonly ConfusionRow[]
}

interface ConfusionRow {
  readonly planted: PlantedKind
  /** What a careful reader would say. */
  readonly expected: Verdict
  readonly verdicts: Readonly<Record<Verdict, number>>
  readonly unjudged: number
}

/** What the judge said of a planted fact; null when it gave no verdict that can be read. */
export interface PlantedVerdict {
  readonly planted: PlantedKind
  readonly verdict: Verdict | null
}

/**
 * Lets the judge judge answers that were planted, in the same form as real ones; gives its verdicts an answer at a time. What
 * fails has none. Rejects when aborted, and when every other request would fail too.
 */
export async function* checkJudge(
  judge: Judge,
  dialogues: readonly Dialogue[],
  progress: Progress,
): AsyncGenerator<PlantedVerdict[]> {
  const answers = plantAnswers(dialogues)
  progress.step('the judge, with planted answers')
  for (const [index, answer] of answers.entries()) {
    const { value } = await settleCall('judge', askJudge(judge, answer))
    yield answer.planted.map((planted, at) => ({ planted, verdict: value?.[at] ?? null }))
    progress.done(index + 1, answers.length)
  }
}

/** Above this share of mistakes of one kind a judge is not to be trusted. */
const LIMIT = 0.1

/** How far a judge is to be trusted, from what it said of answers that were planted. */
export function summarizeCheck(verdicts: readonly PlantedVerdict[]): JudgeCheck {
  const leniency = shareOf(verdicts, ['vague', 'wrong'], isAccepted)
  const severity = shareOf(verdicts, ['right', 'reworded'], isRefused)
  const counts: readonly [Share, string][] = [
    [leniency, 'of the vague and wrong answers were accepted'],
    [severity, 'of the right answers were not accepted'],
    [shareOf(verdicts, ['stale'], isAccepted), 'of the corrected values were accepted'],
    [shareOf(verdicts, ['refusal', 'omitted'], isAccepted), 'of the missing answers were accepted'],
    [shareOf(verdicts, ['command'], isAccepted), 'were accepted because the answer told the judge to'],
  ]
  const unread = verdicts.filter(({ verdict }) => verdict === null).length
  return {
    leniency: leniency.share,
    severity: severity.share,
    n: { leniency: leniency.n, severity: severity.n },
    doubts: [
      ...(leniency.n === 0 || severity.n === 0 ? ['it was not checked: too few verdicts could be had'] : []),
      ...counts.flatMap(([{ share, n }, says]) =>
        share !== null && share > LIMIT ? [`${percent(share, 0)} ${says} (n ${n})`] : [],
      ),
      ...(unread > LIMIT * verdicts.length
        ? [`${percent(unread / verdicts.length, 0)} of its verdicts could not be read (n ${verdicts.length})`]
        : []),
    ],
    confusion: PLANTED_KINDS.map((planted) => confusionOf(planted, verdicts)),
  }
}

interface Share {
  readonly share: number | null
  readonly n: number
}

function shareOf(
  verdicts: readonly PlantedVerdict[],
  kinds: readonly PlantedKind[],
  isMistake: (verdict: Verdict) => boolean,
): Share {
  const judged = verdicts.flatMap(({ planted, verdict }) =>
    verdict !== null && kinds.includes(planted) ? [verdict] : [],
  )
  const n = judged.length
  return { share: n === 0 ? null : judged.filter(isMistake).length / n, n }
}

const isAccepted = (verdict: Verdict): boolean => verdict === 'holds'
const isRefused = (verdict: Verdict): boolean => verdict !== 'holds'

function confusionOf(planted: PlantedKind, verdicts: readonly PlantedVerdict[]): ConfusionRow {
  const ofKind = verdicts.filter((each) => each.planted === planted)
  const count = (verdict: Verdict | null): number => ofKind.filter((each) => each.verdict === verdict).length
  return {
    planted,
    expected: EXPECTED[planted],
    verdicts: {
      holds: count('holds'),
      stale: count('stale'),
      'not-stated': count('not-stated'),
      wrong: count('wrong'),
    },
    unjudged: count(null),
  }
}
