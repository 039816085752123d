import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import type { Chosen } from './objects.ts'

const INSTEAD =
  /\b(?:instead|no longer|from now on|any ?more|now on|actually|changed (?:my|our) mind|change of plans?|scratch that|on second thought|after all|correction)\b/i

/** What a clause chooses, with its span and its reason. */
export function asFinding(clause: Clause, choice: Chosen, isChange: boolean): Finding {
  return {
    kind: 'choice',
    slot: choice.slot,
    value: choice.value,
    area: choice.area,
    start: clause.start,
    end: clause.end,
    isChange: isChange || choice.isChange || INSTEAD.test(clause.sentence),
    ...(choice.replaces !== undefined && { replaces: choice.replaces }),
    ...(clause.reason !== undefined && { reason: clause.reason }),
  }
}
