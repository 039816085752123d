import type { Confirm } from '../chat-agent.ts'
import { createEditFile, createReadFile, createWriteFile, rememberConsent } from './file-tools.ts'
import { createListFiles, createSearchFiles } from './find-tools.ts'
import { createRunCommand } from './run-command.ts'
import type { Workspace } from './workspace.ts'

interface ToolsInput {
  readonly workspace: Workspace
  readonly confirm: Confirm
  readonly window: number
  readonly environment: NodeJS.ProcessEnv
}

const OUTPUT_CHARACTERS = 40_000
const OUTPUT_SHARE = 0.15
const TOKEN_CHARACTERS = 4

export function createTools({ workspace, confirm, window, environment }: ToolsInput) {
  const characters = Math.min(OUTPUT_CHARACTERS, Math.floor(window * OUTPUT_SHARE * TOKEN_CHARACTERS))
  const consent = rememberConsent(confirm)
  const command = createRunCommand({ workspace, consent, environment, characters })
  return {
    all: [
      createReadFile(workspace, characters),
      createListFiles(workspace, characters),
      createSearchFiles(workspace, characters),
      createEditFile(workspace, consent),
      createWriteFile(workspace, consent),
      command.tool,
    ],
    close: command.close,
  }
}
