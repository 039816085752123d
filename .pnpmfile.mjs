import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Of pnpm. Nothing is packed or published that was not built before. */
export const hooks = {
  beforePacking(manifest) {
    const missing = targetsOf([manifest.exports, manifest.bin]).find(
      (file) => !existsSync(join(folderOf(manifest.name), file)),
    )
    if (missing !== undefined)
      throw new Error(`${manifest.name} is not built, ${missing} is missing: run \`pnpm build\` first`)
    return manifest
  },
}

function folderOf(name) {
  const folders = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(import.meta.dirname, parent)).map((folder) => join(import.meta.dirname, parent, folder)),
  )
  return folders.find((folder) => {
    const file = join(folder, 'package.json')
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === name
  })
}

/** Every file that a field of package.json names. */
function targetsOf(value) {
  if (typeof value === 'string') return [value]
  return Object.values(value ?? {}).flatMap(targetsOf)
}
