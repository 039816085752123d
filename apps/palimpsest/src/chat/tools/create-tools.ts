import type { Confirm } from '../chat-agent.ts'
import { createConsenting } from './consent.ts'
import { createEditFile } from './edit-file.ts'
import { createListFiles } from './list-files.ts'
import { createReadFile } from './read-file.ts'
import { createRunCommand } from './run-command.ts'
import { createShellRunner } from './run-shell.ts'
import { createSearchFiles } from './search-files.ts'
import type { ChatTool } from './tool.ts'
import { TOOL_LIMITS } from './tool-limits.ts'
import type { Workspace } from './workspace.ts'
import { createWriteFile } from './write-file.ts'

export interface ToolsInput {
  readonly workspace: Workspace
  readonly confirm: Confirm
  /** The model's window, in tokens: no result fills a large part of it. */
  readonly window: number
  /** Of commands, without what is secret in it. */
  readonly environment: NodeJS.ProcessEnv
}

/** The tools of one chat. */
export interface ChatTools {
  readonly all: readonly ChatTool[]
  /** The time that people took for their consent, all together, in milliseconds. */
  readonly waited: number
  /** Kills the commands that still run. */
  close(): void
}

/** Characters of a token, about. */
const TOKEN_CHARACTERS = 4

export function createTools({ workspace, confirm, window, environment }: ToolsInput): ChatTools {
  const share = Math.floor(window * TOOL_LIMITS.outputShare * TOKEN_CHARACTERS)
  const characters = Math.min(TOOL_LIMITS.outputCharacters, share)
  const consenting = createConsenting(confirm)
  const consent = consenting.ask
  const shell = createShellRunner(environment)
  return {
    all: [
      createReadFile(workspace, characters),
      createListFiles(workspace, characters),
      createSearchFiles(workspace, characters),
      createEditFile(workspace, consent),
      createWriteFile(workspace, consent),
      createRunCommand({ workspace, consent, shell, characters }),
    ],
    get waited() {
      return consenting.waited
    },
    close: shell.close,
  }
}
