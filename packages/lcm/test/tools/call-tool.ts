import type { StoredSession } from '@palimpsest/core'
import { createLcmTools } from '../../src/tools/create-lcm-tools.ts'
import type { LcmToolsOptions } from '../../src/tools/tool-context.ts'
import { clock } from '../search/session-fixture.ts'

/** The tools over a session. */
export function toolsOf(session: StoredSession, options: Partial<LcmToolsOptions> = {}) {
  return createLcmTools({ open: async () => session, clock, ...options })
}

/** What tools answer, as far as the tests look at it. Which fields there are depends on the tool. */
export interface ToolAnswer {
  readonly error: string
  readonly note: string
  readonly hits: readonly { readonly ref: string; readonly offset?: number; readonly text: string }[]
  readonly messages: ToolAnswer
  readonly summaries: ToolAnswer
  readonly next: string | number | null
  readonly text: string
  readonly sources: readonly { readonly ref: string; readonly text: string; readonly cut?: string }[]
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[]
}

/** Calls a tool and reads its answer. */
export async function callTool(
  tools: ReturnType<typeof toolsOf>,
  name: string,
  args: unknown = {},
): Promise<ToolAnswer> {
  return JSON.parse(await tools.call(name, args)) as ToolAnswer
}
