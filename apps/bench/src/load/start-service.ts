import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

/** A process's own figures: memory in bytes, time of the processor since its start in milliseconds. */
export interface ProcessUse {
  readonly resident: number
  /** Of objects, those that nothing needs any more and that are not collected yet among them. */
  readonly heap: number
  /** Outside of the heap: buffers above all. */
  readonly external: number
  readonly processor: number
}

/** For Node: a process that can be told to collect what nothing needs any more. */
export const COLLECTING = ['--expose-gc', '--import', 'data:text/javascript,process.on("SIGUSR2",()=>gc())']
/** Milliseconds between collections. What comes in during one waits for its end. */
const COLLECTION = 200

export type Service = Awaited<ReturnType<typeof startService>>

/**
 * `palimpsest serve` in a process of its own, in front of an upstream.
 *
 * @param command arguments for Node that start `palimpsest`.
 * @param flags of `serve`.
 */
export async function startService(
  command: readonly string[],
  upstreamPort: number,
  folder: string,
  flags: readonly string[],
) {
  const upstream = `http://127.0.0.1:${upstreamPort}/v1`
  const child = spawn(
    process.execPath,
    [...command, 'serve', '--port', '0', '--json', '--upstream', upstream, ...flags],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, PALIMPSEST_HOME: folder },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const ended = once(child, 'exit')
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended])
  if (typeof line !== 'string') throw new Error(`palimpsest serve ended with ${line}`)
  const { url } = JSON.parse(line) as { readonly url: string }
  return {
    port: Number(new URL(url).port),
    async use(): Promise<ProcessUse> {
      const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n')
      const read = (name: string) =>
        Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length))
      return {
        resident: read('process_resident_memory_bytes'),
        heap: read('nodejs_heap_size_used_bytes'),
        external: read('nodejs_external_memory_bytes'),
        processor: read('process_cpu_seconds_total') * 1_000,
      }
    },
    /** The heap behind three collections, one of which does not find everything. For `COLLECTING`. */
    async alive(): Promise<number> {
      for (let round = 0; round < 3; round++) {
        child.kill('SIGUSR2')
        await setTimeout(COLLECTION)
      }
      return (await this.use()).heap
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
