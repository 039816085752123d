import { readFile } from 'node:fs/promises'
import type { ToolDefinition } from '@earendil-works/pi-coding-agent'
import type { HostTarget, HostTool } from '@palimpsest/contract-tests/host'
import { contextEngine } from '../../src/index.ts'
import { openPi } from './open-pi.ts'

/** The extension in the real pi. */
export const piTarget: HostTarget = {
  name: 'pi',
  async open({ engine, contextLength, storage, provider, tools }) {
    const pi = await openPi({
      storage,
      provider,
      contextLength,
      extensions: [contextEngine({ engine })],
      tools: tools.map(toPiTool),
    })
    return {
      send: (text, { signal } = {}) => pi.send(text, signal),
      history: async () => {
        const file = pi.runtime.session.sessionFile
        return file === undefined ? '' : readFile(file, 'utf8')
      },
      close: pi.close,
    }
  },
}

function toPiTool({ name, description, parameters, run }: HostTool): ToolDefinition {
  return {
    name,
    label: name,
    description,
    parameters,
    execute: async (_, args) => ({
      content: [{ type: 'text', text: await run(args as Readonly<Record<string, unknown>>) }],
      details: {},
    }),
  }
}
