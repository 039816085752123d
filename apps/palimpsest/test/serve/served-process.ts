import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { startCli } from '../run-cli.ts'
import { type Caller, describeService } from './described-service.ts'

/** `palimpsest serve` in a process of its own. */
export interface ServedProcess extends Caller {
  readonly url: string
  /** What it wrote to standard error so far. */
  stderr(): string
  /** Sends a signal and waits for the end; its exit code, null when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts it on any free port, and waits until it listens. */
export async function serveProcess(
  folder: string,
  args: readonly string[],
  env: Record<string, string> = {},
  before: readonly string[] = [],
): Promise<ServedProcess> {
  const child: ChildProcess = startCli(['serve', '--port', '0', '--json', ...args], folder, env, before)
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text) => {
      output[name] += text
    })
  const closed = once(child, 'close')
  await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), closed])
  if (child.exitCode !== null) throw new Error(`it ended: ${output.stderr}`)
  const { url } = JSON.parse(output.stdout) as { url: string }
  return {
    ...(await describeService(url)),
    url,
    stderr: () => output.stderr,
    async end(signal) {
      child.kill(signal)
      const [code] = await closed
      return code as number | null
    },
  }
}
