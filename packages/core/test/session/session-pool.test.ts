import { expect, it, vi } from 'vitest'
import { createSessionPool } from '../../src/index.ts'

/** A pool of two, whose ends last until they are let go. */
function poolOfTwo() {
  const log: string[] = []
  const ends: (() => void)[] = []
  const failed: string[] = []
  let opened = 0
  const pool = createSessionPool<string>({
    limit: 2,
    open(id) {
      if (id === 'broken') throw new Error('cannot open')
      const value = `${id}${opened++}`
      log.push(`open ${value}`)
      return value
    },
    async end(value) {
      log.push(`end ${value}`)
      await new Promise<void>((resolve) => ends.push(resolve))
      if (value.startsWith('bad')) throw new Error('cannot end')
      log.push(`ended ${value}`)
    },
    endFailed: (error, id) => failed.push(`${id}: ${(error as Error).message}`),
  })
  const letGo = () =>
    vi
      .waitUntil(() => ends.length > 0)
      .then(() => {
        for (const end of ends.splice(0)) end()
      })
  return { pool, log, failed, letGo }
}

/** A task that is under way until it is told to be done. */
function task() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { run: () => promise, done: resolve }
}

it('ends what was used longest ago, and never what is busy', async () => {
  const { pool, log, letGo } = poolOfTwo()
  const busy = task()
  const first = pool.use('a', busy.run)
  await Promise.resolve()
  pool.open('b')
  pool.open('c')
  expect([pool.get('a'), pool.get('b'), pool.values()]).toEqual(['a0', undefined, ['a0', 'c2']])
  const others = ['c', 'd'].map(() => task())
  const running = [pool.use('c', others[0]?.run ?? busy.run), pool.use('d', others[1]?.run ?? busy.run)]
  await Promise.resolve()
  // More than fit, all of them busy.
  expect(pool.values()).toEqual(['a0', 'c2', 'd3'])
  for (const { done } of [busy, ...others]) done()
  await Promise.all([first, ...running])
  pool.open('e')
  expect(pool.values()).toEqual(['d3', 'e4'])
  await letGo()
  await vi.waitFor(() => expect(log.filter((line) => line.startsWith('ended'))).toHaveLength(3))
})

it('waits for an end that is under way before it opens the same again', async () => {
  const { pool, log, letGo } = poolOfTwo()
  pool.open('a')
  const ended = pool.end('a')
  const again = pool.use('a', (value) => log.push(`use ${value}`))
  const third = pool.use('a', (value) => log.push(`use ${value}`))
  await letGo()
  await Promise.all([ended, again, third])
  expect(log).toEqual(['open a0', 'end a0', 'ended a0', 'open a1', 'use a1', 'use a1'])
})

it('ends one after the other what was opened at once while an earlier one ended', async () => {
  const { pool, log, letGo } = poolOfTwo()
  pool.open('a')
  const first = pool.end('a')
  pool.open('a')
  const second = pool.end('a')
  await letGo()
  await first
  await letGo()
  await second
  expect(log).toEqual(['open a0', 'open a1', 'end a0', 'ended a0', 'end a1', 'ended a1'])
  await pool.end('never opened')
})

it('tells of what fails: an open, a task, an end that makes room, and at last when all are over', async () => {
  const { pool, failed, log, letGo } = poolOfTwo()
  await expect(pool.use('broken', () => 1)).rejects.toThrow('cannot open')
  const failing = pool.use('a', () => {
    throw new Error('a task fails')
  })
  await expect(failing).rejects.toThrow('a task fails')
  pool.open('bad')
  pool.open('b')
  pool.open('c')
  await letGo()
  await vi.waitFor(() => expect(failed).toEqual(['bad: cannot end']))
  pool.open('bad')
  const closed = pool.close()
  await letGo()
  await expect(closed).rejects.toThrow('cannot end')
  expect([pool.values(), log.at(-1)]).toEqual([[], expect.stringContaining('ended')])
})
