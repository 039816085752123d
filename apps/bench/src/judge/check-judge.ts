import type { Dialogue } from '../dialogues/dialogue.ts'
import type { Progress } from '../progress.ts'
import { percent } from '../report/format.ts'
import { askJudge, type Judge, VERDICTS, type Verdict } from './ask-judge.ts'
import { settleCall } from './model-meter.ts'
import { EXPECTED, PLANTED_KINDS, type PlantedKind, plantAnswers } from './planted-answer.ts'

export type JudgeCheck = ReturnType<typeof summarizeCheck>

/** The verdict on a planted fact; null when none could be read. */
export interface PlantedVerdict {
  readonly planted: PlantedKind
  readonly verdict: Verdict | null
}

/** Verdicts on planted answers, an answer at a time. Rejects when aborted, and when every other request would fail too. */
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

const LIMIT = 0.1

export function summarizeCheck(verdicts: readonly PlantedVerdict[]) {
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
    /** Shares of vague and wrong answers that it accepted, and of right ones that it did not; null when it judged none. */
    leniency: leniency.share,
    severity: severity.share,
    n: { leniency: leniency.n, severity: severity.n },
    /** Why its figures are not to be trusted, in sentences. Empty for a judge that passed. */
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

function confusionOf(planted: PlantedKind, verdicts: readonly PlantedVerdict[]) {
  const ofKind = verdicts.filter((each) => each.planted === planted)
  const count = (verdict: Verdict | null): number => ofKind.filter((each) => each.verdict === verdict).length
  return {
    planted,
    expected: EXPECTED[planted],
    verdicts: Object.fromEntries(VERDICTS.map((each) => [each, count(each)])) as Record<Verdict, number>,
    unjudged: count(null),
  }
}
