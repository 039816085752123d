import { StoreConflictError } from '../errors/store-conflict-error.ts'
import { StoreError } from '../errors/store-error.ts'
import type { Lease } from '../store/lcm-session.ts'

/** Refuses a writer that does not know the last message. @throws StoreConflictError */
export function checkNextSeq(key: string, current: number, known: number): void {
  if (known !== current)
    throw new StoreConflictError(
      `${key} goes on at m${current}, not at m${known}: another writer was faster; read its head again`,
    )
}

/** Refuses a writer that knows another frontier, or none. @throws StoreConflictError */
export function checkVersion(current: number, known: number | undefined): void {
  if (known !== current)
    throw new StoreConflictError(
      `the frontier is at version ${current}, not ${known}: another writer was faster; read it again`,
    )
}

/** Refuses a writer whose lease was taken over. `current`: the one that is given out. @throws StoreConflictError */
export function checkLease(current: Lease | undefined, { holder, token }: Lease): void {
  if (current?.token !== token || current.holder !== holder)
    throw new StoreConflictError(`the lease ${token} of ${holder} is lost; acquire it again`)
}

/**
 * Refuses a number up to which a history is to be kept and that it does not reach.
 *
 * @param purpose Such as `fork at`.
 * @throws StoreError `NOT_FOUND`
 */
export function checkCut(key: string, nextSeq: number, seq: number, purpose: string): void {
  if (!(Number.isInteger(seq) && seq >= 0 && seq <= nextSeq))
    throw new StoreError(
      'NOT_FOUND',
      `${key} has no message m${seq} to ${purpose}; its next one is m${nextSeq}`,
    )
}
