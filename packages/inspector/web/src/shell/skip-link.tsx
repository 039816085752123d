import classes from './shell.module.css'

/** Leads behind the header; seen only when the keyboard is on it. Moves the focus, and leaves the address alone. */
export function SkipLink() {
  return (
    <button type="button" className={classes.skip} onClick={() => document.getElementById('main')?.focus()}>
      Skip to the content
    </button>
  )
}
