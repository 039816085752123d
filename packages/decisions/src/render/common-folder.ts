/** The share of the paths that a folder must hold to be left out of their names. */
const LEAST_SHARE = 0.7
/** A shorter folder is not worth a line. */
const LEAST_CHARACTERS = 12

/** From the root, or from a drive of Windows. */
const ABSOLUTE = /^(?:[a-z]:)?\//i

/** The numbers of some paths below each folder. */
export class FolderCounts {
  /** Numbers of absolute paths below folders, by the folder that these are in. */
  readonly #inside = new Map<string, Map<string, number>>()
  #size = 0
  #common: string | undefined

  /** Counts one path more, or one less. */
  count(path: string, step: 1 | -1): void {
    this.#size += step
    this.#common = undefined
    if (!ABSOLUTE.test(path)) return
    let folder = ''
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      const inside = path.slice(0, slash + 1)
      const counts = this.#inside.get(folder) ?? new Map<string, number>()
      const count = (counts.get(inside) ?? 0) + step
      if (count === 0) counts.delete(inside)
      else counts.set(inside, count)
      if (counts.size === 0) this.#inside.delete(folder)
      else this.#inside.set(folder, counts)
      folder = inside
    }
  }

  /** The deepest folder that holds most of the paths, if these are absolute, with its slash; empty when there is none worth naming. */
  get common(): string {
    this.#common ??= this.#findCommon()
    return this.#common
  }

  #findCommon(): string {
    if (this.#size < 2) return ''
    const least = this.#size * LEAST_SHARE
    let folder = ''
    for (;;) {
      let [next, most] = ['', 0]
      for (const [inside, count] of this.#inside.get(folder) ?? [])
        if (count > most) [next, most] = [inside, count]
      if (most === 0 || most < least) break
      folder = next
    }
    return folder.length < LEAST_CHARACTERS ? '' : folder
  }
}
