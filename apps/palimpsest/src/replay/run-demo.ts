import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { errorText } from '@palimpsest/core'
import { readPageTemplate } from '@palimpsest/inspector'
import { BUNDLED_SESSION } from '../bundled-session.ts'
import type { Configuration } from '../engines/configuration.ts'
import { RECORDED_ENGINE, readRecording } from './read-recording.ts'
import { type ReplayFlags, runReplay } from './run-replay.ts'

export interface DemoFlags extends ReplayFlags {
  readonly open: boolean
}

export async function runDemo(configuration: Configuration, flags: DemoFlags): Promise<number> {
  const { path = flags.html, reason } = flags.html === undefined ? await temporaryPage() : {}
  const page = path === undefined ? {} : { html: path, redact: true }
  const engine = flags.engine ?? (configuration.isNamed ? configuration.choice : RECORDED_ENGINE)
  const all = { ...flags, ...page, engine }
  const code = await runReplay(BUNDLED_SESSION, configuration, all, await readRecording())
  if (reason !== undefined) process.stderr.write(`no page was written: ${reason}\n`)
  if (path !== undefined && flags.open && process.stdout.isTTY) {
    const { openInBrowser } = await import('../open-in-browser.ts')
    await openInBrowser(pathToFileURL(path).href, process.env)
  }
  return code
}

async function temporaryPage(): Promise<{ readonly path?: string; readonly reason?: string }> {
  try {
    await readPageTemplate()
    return { path: join(await mkdtemp(join(tmpdir(), 'palimpsest-')), 'demo.html') }
  } catch (error) {
    return { reason: errorText(error) }
  }
}
