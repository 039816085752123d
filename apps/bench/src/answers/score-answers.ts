import type { Made } from './make-prompts.ts'
import { KINDS, type Questions, type RecordedAnswers } from './recorded-answers.ts'

export type ArmScore = ReturnType<typeof scoreArm>

interface ScoreInput {
  readonly arm: string
  readonly made: Made
  readonly recorded: RecordedAnswers | undefined
  readonly questions: Questions
}

/** Recorded answers count only if the prompt is the same, byte for byte. */
export function scoreArm({ arm, made, recorded, questions }: ScoreInput) {
  const state = stateOf(made, recorded)
  return {
    arm,
    state,
    ...('text' in made && { tokens: made.tokens }),
    ...(recorded !== undefined && { recorded: recorded.recorded, by: recorded.by }),
    ...(state === 'current' && recorded !== undefined && { score: score(recorded, questions) }),
  }
}

function stateOf(made: Made, recorded: RecordedAnswers | undefined) {
  if ('unknown' in made) return 'stale: a summary is not recorded'
  if (recorded === undefined) return 'not recorded'
  return recorded.promptSha256 === made.sha256 ? 'current' : 'stale: another prompt'
}

function score({ answers }: RecordedAnswers, questions: Questions) {
  const marks = new Map(answers.map(({ id, mark }) => [id, mark]))
  const sum = (some: Questions) => some.reduce((total, { id }) => total + (marks.get(id) ?? 0), 0)
  return {
    right: sum(questions),
    kinds: KINDS.map((kind) => sum(questions.filter((question) => question.kind === kind))),
    falsehoods: answers.filter(({ falsehood }) => falsehood).length,
  }
}
