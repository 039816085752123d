import type { FileTouch } from './file-touch.ts'

const HEADER = /^\*\*\* (Add|Update|Delete|Move to)(?: File)?: (.{1,400})$/gm
const UNIFIED = /^\+\+\+ (?:b\/)?([^\t\n]{1,400})/gm

/** The files that a patch touches: in the format of `apply_patch` (`*** Update File: …`) or a unified diff. */
export function patchFiles(text: string): FileTouch[] {
  if (text.includes('*** ')) {
    const touches = [...text.matchAll(HEADER)].map(([, verb, path = '']): FileTouch => {
      const operation = verb === 'Delete' ? 'deleted' : verb === 'Update' ? 'edited' : 'created'
      return { path: path.trim(), operation }
    })
    if (touches.length > 0) return touches
  }
  if (!text.includes('+++ ')) return []
  return [...text.matchAll(UNIFIED)]
    .map(([, path = '']): FileTouch => ({ path: path.trim(), operation: 'edited' }))
    .filter((touch) => touch.path !== '/dev/null')
}
