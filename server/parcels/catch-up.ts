import type {Cadastre, CadastreCaller, CadastreQuestion} from "./cadastre.ts";

/**
 * Reads what other processes have stored before a county is asked, because reading the disk is cheaper than asking; true when there was
 * something. A question that would be refused at once reads nothing, so that its refusal waits for no disk.
 */
export async function catchUp(
  question: CadastreQuestion,
  caller: CadastreCaller,
  cadastre: Cadastre,
): Promise<boolean> {
  const {delta} = caller.generation;
  if (delta === undefined || !cadastre.hasRoom(question, caller)) return false;
  return delta.catchUp();
}
