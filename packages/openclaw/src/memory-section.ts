import type { AssembleCall } from './host-types.ts'

/** OpenClaw finds it for its plug-ins; elsewhere it is not there. */
const SDK: string = 'openclaw/plugin-sdk/core'

interface Sdk {
  buildMemorySystemPromptAddition(input: object): string | undefined
}

/** The section of OpenClaw's memory plug-in in the system prompt. OpenClaw leaves that to the engine. */
export async function memorySection(call: AssembleCall): Promise<string | undefined> {
  const { availableTools = new Set(), citationsMode, sessionKey } = call
  const sdk: Sdk | undefined = await import(SDK).catch(() => undefined)
  return sdk?.buildMemorySystemPromptAddition({
    availableTools,
    ...(citationsMode && { citationsMode }),
    ...(sessionKey && { agentSessionKey: sessionKey }),
  })
}
