import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

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
    /** Memory that the process holds, in bytes. */
    resident: () =>
      Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) * 1024,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
