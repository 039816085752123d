/** What a package's manifest says about it. */
export interface PackageManifest {
  readonly name: string
  readonly version: string
  readonly license: string
}

/** Name, installed version and licence, as the report prints them. */
export function packageLabel({ name, version, license }: PackageManifest): string {
  return `${name} ${version} (${license})`
}
