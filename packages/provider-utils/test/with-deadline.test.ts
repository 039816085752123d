import { ModelError } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { withDeadline } from '../src/index.ts'

const forever = () => new Promise<never>(() => {})

describe('work with a deadline', () => {
  it('returns what the work returns', async () => {
    expect(await withDeadline({ timeoutMs: 60_000 }, async () => 'done')).toBe('done')
  })

  it('ends in time when the work does not', async () => {
    await expect(withDeadline({ timeoutMs: 10 }, forever)).rejects.toMatchObject({
      kind: 'timeout',
      message: 'there was no complete answer in 0.01 s; try again or raise timeoutMs',
    })
  })

  it('ends with the error of whoever knows where its time is set', async () => {
    const late = new ModelError('timeout', 'raise summary.seconds')
    const call = withDeadline({ timeoutMs: 10, timeoutError: () => late }, (signal) =>
      withDeadline({ timeoutMs: 10, signal }, forever),
    )
    await expect(call).rejects.toBe(late)
  })

  it('ends when the caller says so, and is not begun when he did before', async () => {
    const caller = new AbortController()
    const reason = new Error('enough')
    const call = withDeadline({ signal: caller.signal, timeoutMs: 60_000 }, forever)
    caller.abort(reason)
    await expect(call).rejects.toBe(reason)
    let begun = false
    const late = withDeadline({ signal: caller.signal, timeoutMs: 60_000 }, async () => {
      begun = true
    })
    await expect(late).rejects.toBe(reason)
    expect(begun).toBe(false)
  })

  it('rejects with the reason, whatever error the work makes of the abort', async () => {
    const caller = new AbortController()
    const call = withDeadline(
      { signal: caller.signal, timeoutMs: 60_000 },
      (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('a fault of its own')))
        }),
    )
    const reason = new Error('enough')
    caller.abort(reason)
    await expect(call).rejects.toBe(reason)
  })

  it('closes what is still open when the work fails', async () => {
    let signal: AbortSignal | undefined
    const call = withDeadline({ timeoutMs: 60_000 }, async (ended) => {
      signal = ended
      throw new Error('broken')
    })
    await expect(call).rejects.toThrow('broken')
    expect(signal?.aborted).toBe(true)
  })
})
