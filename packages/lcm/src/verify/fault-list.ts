import type { LcmSession } from '../store/lcm-session.ts'
import type { StoreFault } from '../store/lcm-store.ts'

/** Faults of one session that are listed. A store in ruins must not fill the memory too. */
const MAX_FAULTS = 1_000

export interface FaultList {
  readonly faults: readonly StoreFault[]
  /** `sentence` says it to a person; `ref` is what it is about, such as `m57`. */
  add(code: string, sentence: string, ref?: string): void
  /** The same for a sentence that begins with what it is about. */
  about(ref: string, code: string, rest: string): void
}

export function createFaultList({ principal, key }: Pick<LcmSession, 'principal' | 'key'>): FaultList {
  const faults: StoreFault[] = []
  const push = (code: string, message: string, ref?: string) =>
    faults.push({ code, message, principal, key, ...(ref !== undefined && { ref }), repairable: false })
  const add: FaultList['add'] = (code, sentence, ref) => {
    if (faults.length < MAX_FAULTS) push(code, sentence, ref)
    else if (faults.length === MAX_FAULTS) push('more-faults', `there are more than ${MAX_FAULTS} faults`)
  }
  return { faults, add, about: (ref, code, rest) => add(code, `${ref} ${rest}`, ref) }
}
