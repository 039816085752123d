import { type Decision, isRemark } from './decision.ts'

/**
 * The reader that calls a decision one: `rules`, which take the user's plain words only, a `model` that read
 * the turns again, the agent's model that `recorded` it with `decisions_record`, the `host`, or a file that was
 * `imported`. A `remark` is the user's words that say nothing plainly.
 */
export type Tier = 'rules' | 'model' | 'recorded' | 'host' | 'imported' | 'remark'

export function tierOf({ slot, by }: Pick<Decision, 'slot' | 'by'>): Tier {
  if (isRemark({ slot })) return 'remark'
  if (by === 'import') return 'imported'
  return by === 'tool' ? 'recorded' : by
}
