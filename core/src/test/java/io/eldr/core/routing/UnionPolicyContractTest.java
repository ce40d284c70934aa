package io.eldr.core.routing;

class UnionPolicyContractTest extends RoutingPolicyContract {
    @Override
    PolicyName name() {
        return PolicyName.UNION;
    }
}
