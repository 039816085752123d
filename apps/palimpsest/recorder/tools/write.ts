import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { done, type Tool } from './tool.ts'
import { inWorkspace } from './workspace-files.ts'

/** Creates a file, or replaces it. */
export const write: Tool = (root, args) => {
  const path = inWorkspace(root, args.path)
  const content = String(args.content)
  const verb = existsSync(path) ? 'replaced' : 'created'
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return done(`${verb} ${args.path}, ${content.split('\n').length - 1} lines`)
}
