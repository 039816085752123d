import { edit } from './edit.ts'
import { read } from './read.ts'
import { run } from './run.ts'
import { search } from './search.ts'
import type { Tool } from './tool.ts'
import { write } from './write.ts'

/** The tools of the recorded agent, by the name that stands in its calls. */
export const tools = { search, read, edit, write, run } satisfies Record<string, Tool>

export type ToolName = keyof typeof tools
