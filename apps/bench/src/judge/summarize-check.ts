import type { ConfusionRow, JudgeCheck } from './judge-report.ts'
import { EXPECTED, PLANTED_KINDS, type PlantedKind } from './planted-kind.ts'
import type { Verdict } from './verdict.ts'

/** What the judge said of a planted fact; null when it gave no verdict that can be read. */
export interface PlantedVerdict {
  readonly planted: PlantedKind
  readonly verdict: Verdict | null
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
        share !== null && share > LIMIT ? [`${percent(share)} ${says} (n ${n})`] : [],
      ),
      ...(unread > LIMIT * verdicts.length
        ? [`${percent(unread / verdicts.length)} of its verdicts could not be read (n ${verdicts.length})`]
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

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`
