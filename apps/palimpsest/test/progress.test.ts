import { afterEach, describe, expect, it, vi } from 'vitest'
import { withProgress } from '../src/progress.ts'

const { isTTY } = process.stderr
afterEach(() => {
  process.stderr.isTTY = isTTY
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('withProgress', () => {
  it('takes the bar away when the run fails, so that the program can end', async () => {
    vi.useFakeTimers()
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    process.stderr.isTTY = true
    const run = withProgress('reading', 'bytes', async (onProgress) => {
      onProgress(1, 10)
      throw new Error('line 7 is malformed')
    })
    await expect(run).rejects.toThrow('line 7')
    expect(vi.getTimerCount()).toBe(0)
  })
})
