import { say } from '../../shared/language/say.ts'
/** One sentence on why a file or folder could not be read, and what to do. */
export function fileTrouble(shown: string, error: unknown, what: 'file' | 'folder' = 'file'): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  switch (code) {
    case 'ENOENT':
      return say`There is no file or folder ${shown}; check the path.`
    case 'ENOTDIR':
      return say`There is no file or folder ${shown}: a part of the path is a file; check the path.`
    case 'EACCES':
    case 'EPERM':
      return say`The ${what} ${shown} may not be read by this user; change its permissions or copy it.`
    case 'ELOOP':
      return say`The ${what} ${shown} is a link that leads in a circle; give what it was meant to lead to.`
    case 'ENAMETOOLONG':
      return say`The path of ${shown} is too long for this system; move it to a shorter one.`
    case 'EMFILE':
    case 'ENFILE':
      return say`The ${what} ${shown} was not read because too many files are open; close other programs and try again.`
    default:
      return say`The ${what} ${shown} could not be read${code ? ` (${code})` : ''}; check that its disk is connected, or copy it.`
  }
}
