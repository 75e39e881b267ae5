import { say } from '../../shared/language/say.ts'

/** One sentence on why a file or folder could not be read, and what to do. */
export function fileTrouble(shown: string, error: unknown, what: 'file' | 'folder' = 'file'): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return what === 'file' ? fileSentence(shown, code) : folderSentence(shown, code)
}

function fileSentence(shown: string, code: string): string {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return say`The file ${shown} may not be read by this user; change its permissions or copy it.`
    case 'ELOOP':
      return say`The file ${shown} is a link that leads in a circle; give what it was meant to lead to.`
    case 'EMFILE':
    case 'ENFILE':
      return say`The file ${shown} was not read because too many files are open; close other programs and try again.`
    default:
      return (
        pathSentence(shown, code) ??
        (code
          ? say`The file ${shown} could not be read (${code}); check that its disk is connected, or copy it.`
          : say`The file ${shown} could not be read; check that its disk is connected, or copy it.`)
      )
  }
}

function folderSentence(shown: string, code: string): string {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return say`The folder ${shown} may not be read by this user; change its permissions or copy it.`
    case 'ELOOP':
      return say`The folder ${shown} is a link that leads in a circle; give what it was meant to lead to.`
    case 'EMFILE':
    case 'ENFILE':
      return say`The folder ${shown} was not read because too many files are open; close other programs and try again.`
    default:
      return (
        pathSentence(shown, code) ??
        (code
          ? say`The folder ${shown} could not be read (${code}); check that its disk is connected, or copy it.`
          : say`The folder ${shown} could not be read; check that its disk is connected, or copy it.`)
      )
  }
}

/** What is the path's own fault, whatever it was to lead to. */
function pathSentence(shown: string, code: string): string | undefined {
  switch (code) {
    case 'ENOENT':
      return say`There is no file or folder ${shown}; check the path.`
    case 'ENOTDIR':
      return say`There is no file or folder ${shown}: a part of the path is a file; check the path.`
    case 'ENAMETOOLONG':
      return say`The path of ${shown} is too long for this system; move it to a shorter one.`
    default:
      return undefined
  }
}
