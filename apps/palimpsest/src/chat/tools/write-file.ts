import { z } from '@palimpsest/core/options'
import { changeFile } from './change-file.ts'
import type { AskConsent } from './consent.ts'
import { defineTool } from './define-tool.ts'
import { fileText } from './file-text.ts'
import type { ChatTool } from './tool.ts'
import { ToolFault } from './tool-fault.ts'
import type { Workspace } from './workspace.ts'

const DESCRIPTION =
  'Writes a text file in the workspace: a new one, with the folders that it needs, or in place of all that is in it. ' +
  'The user is asked first. To change a part of a file use edit_file.'

const schema = z.object({
  path: z.string().min(1).describe('the file, relative to the workspace'),
  content: z.string().describe('all that shall be in it'),
})

export function createWriteFile(workspace: Workspace, consent: AskConsent): ChatTool {
  return defineTool({
    name: 'write_file',
    description: DESCRIPTION,
    schema,
    summary: ({ path }) => path,
    async run({ path, content }, signal) {
      const place = await workspace.locate(path)
      if (place.shown === '.') throw new ToolFault('name the file to write, not the workspace itself')
      const before = place.exists ? await fileText(place) : null
      if (before === content) return `${place.shown} has this content already`
      await changeFile(workspace, { kind: 'write', place, before, after: content }, consent, signal)
      return `${place.shown} was ${before === null ? 'created' : 'replaced'}`
    },
  })
}
