package io.eldr.core.routing;

class EldrPolicyContractTest extends RoutingPolicyContract {
    @Override
    PolicyName name() {
        return PolicyName.ELDR;
    }
}
