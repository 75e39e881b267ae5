import type { utilityProcess } from 'electron'
import type { PictureProcess } from '../engine/pictures/picture-workers.ts'

/**
 * A process that decodes pictures, as a child of Electron: the packed program cannot run as plain Node. Its environment
 * is bare, so that no key is in reach of the code that reads strangers' files.
 * @param script the built form of engine/pictures/picture-process.ts, inside the program
 */
export function startUtilityPictures(
  utility: Pick<typeof utilityProcess, 'fork'>,
  script: string,
): PictureProcess {
  const { PATH, TEMP, SystemRoot } = process.env
  const child = utility.fork(script, [], {
    stdio: 'ignore',
    serviceName: 'Vitrine pictures',
    env: { PATH, TEMP, SystemRoot },
  })
  return {
    send: (question) => child.postMessage(question),
    onAnswer: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.on('exit', listener),
    kill: () => void child.kill(),
  }
}
