import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { runHere } from './lcm/run-here.ts'
import type { CliResult } from './run-cli.ts'

/** An engine that keeps the system prompt and the newest messages, as a module without imports. */
export const engineModule = (name: string, create = '') => `
globalThis.loaded = true
const compress = async ({ messages }) => {
  return { outcome: 'unchanged', reason: 'never', messages, tokensBefore: 0, tokensAfter: 0, changedFrom: messages.length, warnings: [] }
}
const create = (options, host) => {
  ${create}
  const nothing = async () => {}
  return {
    apiVersion: 1, name: '${name}', capabilities: [], lastPromptTokens: 0, lastCompletionTokens: 0,
    lastTotalTokens: 0, thresholdTokens: host.contextLength, contextLength: host.contextLength, compressionCount: 0,
    updateFromResponse() {}, shouldCompress: () => false, compress, ingest: nothing, shouldCompressPreflight: () => false,
    pruneToolResults: async (messages) => messages, selectContext: async () => null, onTurnComplete: nothing,
    hasContentToCompress: () => false, onSessionStart: nothing, onSessionEnd: nothing, onSessionReset: nothing,
    onCompactionBoundary: nothing, updateModel() {}, toolSchemas: () => [], handleToolCall: async () => '{}',
    status: () => ({}), dispose: nothing,
  }
}
const definition = { name: '${name}', apiVersion: 1, description: 'keeps everything', create }
export default Object.defineProperty(definition, Symbol.for('palimpsest.context-engine'), { value: 1 })
`

/** A session of one question and one answer, as a JSON text. */
export const SHORT = JSON.stringify([
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: 'Hello to you.' },
])

/** A folder of its own for each test of a file, with plugins in it, and the command line run there. */
export function usePluginFolder() {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return {
    path: (name = ''): string => join(folder, name),
    write,
    cli: (...args: string[]): Promise<CliResult> => runHere(args, folder),
    async plugin(name: string, module = engineModule(name)): Promise<void> {
      const manifest = `name: ${name}\ndescription: keeps everything\nversion: 2.1.0\n`
      await write(`plugins/context_engine/${name}/plugin.yaml`, manifest)
      await write(`plugins/context_engine/${name}/index.js`, module)
    },
  }
}
