import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { leftOpenBy } from '../../src/harness/open-resources.ts'

let folder = ''
let close: (() => unknown) | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-open-'))
})
afterEach(async () => {
  await close?.()
  close = undefined
  rmSync(folder, { recursive: true })
})

/** The resources that a task leaves open; the task returns a function that closes them. */
const leftBy = (open: () => () => unknown): Promise<string[]> =>
  leftOpenBy(async () => {
    // The second half of a task counts like the first.
    await wait(1)
    close = open()
  }, folder)

describe('what a task left open', () => {
  it('is nothing when it closed everything', async () => {
    const task = async () => {
      closeSync(openSync(join(folder, 'a.txt'), 'w'))
      clearInterval(setInterval(() => {}, 1_000))
    }
    expect(await leftOpenBy(task, folder)).toEqual([])
  })

  it('is nothing when it closes by itself soon', async () => {
    const task = async () => void setTimeout(() => {}, 50)
    expect(await leftOpenBy(task, folder)).toEqual([])
  })

  it('is not what others opened meanwhile', async () => {
    const other = setInterval(() => {}, 1_000)
    expect(await leftOpenBy(async () => {}, folder)).toEqual([])
    clearInterval(other)
  })

  it('is a timer, although another one ends meanwhile', async () => {
    setTimeout(() => {}, 100)
    const left = leftBy(() => {
      const timer = setInterval(() => {}, 1_000)
      return () => clearInterval(timer)
    })
    expect(await left).toEqual(['a timer'])
  })

  it('is a server', async () => {
    const left = leftBy(() => {
      const server = createServer().listen(0)
      return () => server.close()
    })
    expect(await left).toEqual(['TCPServerWrap'])
  })

  it.runIf(process.platform === 'linux')('is a file below the folder, by its name', async () => {
    const left = leftBy(() => {
      const file = openSync(join(folder, 'store.db'), 'w')
      return () => closeSync(file)
    })
    expect(await left).toEqual(['the file store.db'])
  })
})
