import { z } from '@palimpsest/core/options'
import { changeFile } from './change-file.ts'
import type { AskConsent } from './consent.ts'
import { defineTool } from './define-tool.ts'
import { fileText } from './file-text.ts'
import { replaceOnce } from './replace-once.ts'
import type { ChatTool } from './tool.ts'
import { ToolFault } from './tool-fault.ts'
import type { Workspace } from './workspace.ts'

const DESCRIPTION =
  'Replaces one piece of a text file in the workspace. old_text must stand in the file exactly once, white space and all. ' +
  'The user is asked first.'

const schema = z.object({
  path: z.string().min(1).describe('the file, relative to the workspace'),
  old_text: z.string().min(1).describe('what stands there now: whole lines, without their numbers'),
  new_text: z.string().describe('what shall stand there instead; empty takes it out'),
})

export function createEditFile(workspace: Workspace, consent: AskConsent): ChatTool {
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
