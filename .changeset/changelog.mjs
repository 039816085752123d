/** A changelog for users: what changed, without hashes of commits, and the packages that came along in one line. */
export default {
  getReleaseLine: async ({ summary }) => `- ${summary.trim().replaceAll('\n', '\n  ')}`,
  getDependencyReleaseLine: async (_, dependencies) => {
    const names = dependencies.map(({ name, newVersion }) => `${name} ${newVersion}`)
    return names.length === 0 ? '' : `- Needs ${names.join(', ')}.`
  },
}
