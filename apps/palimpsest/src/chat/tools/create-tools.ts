import { z } from '@palimpsest/core/options'
import type { Confirm } from '../chat-agent.ts'
import { type AskConsent, changeFile, createConsenting, createWriteFile } from './change-file.ts'
import { createListFiles } from './list-files.ts'
import { createReadFile } from './read-file.ts'
import { replaceOnce } from './replace-once.ts'
import { createRunCommand } from './run-command.ts'
import { createShellRunner } from './run-shell.ts'
import { createSearchFiles } from './search-files.ts'
import { fileText } from './text-file.ts'
import { type ChatTool, defineTool, ToolFault } from './tool.ts'
import { TOOL_LIMITS } from './tool-limits.ts'
import type { Workspace } from './workspace.ts'

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

const DESCRIPTION =
  'Replaces one piece of a text file in the workspace. old_text must stand in the file exactly once, white space and all. ' +
  'The user is asked first.'

const schema = z.object({
  path: z.string().min(1).describe('the file, relative to the workspace'),
  old_text: z.string().min(1).describe('what stands there now: whole lines, without their numbers'),
  new_text: z.string().describe('what shall stand there instead; empty takes it out'),
})

function createEditFile(workspace: Workspace, consent: AskConsent): ChatTool {
  return defineTool({
    name: 'edit_file',
    description: DESCRIPTION,
    schema,
    summary: ({ path }) => path,
    async run({ path, old_text: oldText, new_text: newText }, signal) {
      const place = await workspace.locate(path)
      if (!place.exists) throw new ToolFault(`there is no file ${place.shown}; write_file creates it`)
      const before = await fileText(place)
      const after = replaceOnce(before, oldText, newText, place.shown)
      await changeFile(workspace, { kind: 'edit', place, before, after }, consent, signal)
      return `${place.shown} was changed`
    },
  })
}
