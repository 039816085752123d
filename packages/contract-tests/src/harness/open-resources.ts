import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { waitUntil } from './settle.ts'

/** The open files of a process on Linux; elsewhere files are not checked. */
const DESCRIPTORS = '/proc/self/fd'

/**
 * Runs a task and lists what it has left open: timers, servers, sockets and watchers that keep the process alive, and
 * files below a folder. Waits up to a second.
 */
export async function leftOpenBy(task: () => Promise<void>, folder: string): Promise<string[]> {
  const timers = createTimerWatch()
  const open = () => [...activeHandles(), ...openFiles(realpathSync(folder))]
  // Resources left from before are about to close, and would hide new ones.
  await setTimeout(10)
  const before = open()
  try {
    await timers.run(task)
    let left: string[] = []
    await waitUntil(() => {
      left = [...withoutEach(open(), before), ...Array(timers.waiting()).fill('a timer')]
      return left.length === 0
    })
    return left
  } finally {
    timers.end()
  }
}

function activeHandles(): string[] {
  return process.getActiveResourcesInfo().filter((name) => name !== 'Timeout')
}

function withoutEach(list: readonly string[], others: readonly string[]): string[] {
  const rest = [...others]
  return list.filter((member) => {
    const at = rest.indexOf(member)
    if (at !== -1) rest.splice(at, 1)
    return at === -1
  })
}

function openFiles(folder: string): string[] {
  return listed(DESCRIPTORS).flatMap((descriptor) => {
    const path = linkedFrom(`${DESCRIPTORS}/${descriptor}`)
    return path?.startsWith(folder) ? [`the file ${relative(folder, path)}`] : []
  })
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function linkedFrom(link: string): string | undefined {
  try {
    return readlinkSync(link)
  } catch {
    return undefined
  }
}

/** Watches only the task's timers, because a test runner's come and go. */
function createTimerWatch() {
  const timers = new Map<number, NodeJS.Timeout>()
  const isWatched = new AsyncLocalStorage<boolean>()
  const hook = createHook({
    init(id, type, _trigger, resource) {
      if (type === 'Timeout' && isWatched.getStore()) timers.set(id, resource as NodeJS.Timeout)
    },
    destroy(id) {
      timers.delete(id)
    },
  }).enable()
  return {
    run: (task: () => Promise<void>) => isWatched.run(true, task),
    waiting: () => [...timers.values()].filter((timer) => timer.hasRef()).length,
    end: () => void hook.disable(),
  }
}
