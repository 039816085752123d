/** Kebab-case, and no longer than npm lets a package's name be. */
const ENGINE_NAME = /^(?=.{1,214}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

/** Whether a text may be the name of an engine: kebab-case, so that it is safe as a folder and as a key. */
export function isEngineName(name: unknown): name is string {
  return typeof name === 'string' && ENGINE_NAME.test(name)
}
