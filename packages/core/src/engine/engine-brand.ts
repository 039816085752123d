/** Marks what `defineContextEngine` returned, across every installed copy of this package. */
export const engineBrand = Symbol.for('palimpsest.context-engine')

/** Marks an engine that `fillEngine` of any copy made whole. A copy of its members by `...` is without it. */
export const wholeEngineBrand = Symbol.for('palimpsest.whole-context-engine')
