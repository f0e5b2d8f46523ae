import sys
from tests.world.mutants import *
if __name__=="__main__":
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for v in pool.imap(tested, mutants(sys.argv[1:]), chunksize=1):
            print(v.mutant.name, "|", v.fault[:150], flush=True)
