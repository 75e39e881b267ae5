import { DeliveryError } from './delivery-error.ts'
import type { DeliveryErrorKind } from './delivery-error.ts'
import { say } from '../../shared/language/say.ts'

const kinds: Readonly<Record<string, DeliveryErrorKind>> = {
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
  ENOENT: 'folder-missing',
  ENODEV: 'folder-missing',
  ENXIO: 'folder-missing',
  ESTALE: 'folder-missing',
  ENOTDIR: 'in-the-way',
  EISDIR: 'in-the-way',
}

/**
 * What the file system threw, as a sentence about the path. DeliveryErrors pass as they are.
 * @param folder what is missing where the path is not found; the path itself where that is a folder
 */
export function diskFault(error: unknown, path: string, folder: string = path): DeliveryError {
  if (error instanceof DeliveryError) return error
  const code = (error as NodeJS.ErrnoException | null)?.code ?? say`unknown error`
  const kind = kinds[code] ?? 'disk'
  const words = sentences[kind] ?? otherFault
  return new DeliveryError(kind, words(kind === 'folder-missing' ? folder : path, code), { cause: error })
}

const sentences: Partial<Record<DeliveryErrorKind, (path: string, code: string) => string>> = {
  'disk-full': (path) => say`The disk of ${path} is full; make room, then go on.`,
  'read-only': (path, code) =>
    say`${path} may not be written (${code}); allow it or choose another output folder.`,
  'folder-missing': (path) =>
    say`The output folder ${path} is gone; connect its drive or create the folder, then go on.`,
  'in-the-way': (path) =>
    say`Something else stands at ${path} where Vitrine needs a folder or a file; move it away.`,
}

function otherFault(path: string, code: string): string {
  return say`${path} could not be written (${code}); check the drive.`
}
